"""The compiled part of each problem: value, start, move and commit of a :class:`ter.CompiledObjective`.

The kernels of a problem live in one file, since Numba's cache notices changes of a kernel's own file only.
"""
