"""Archives of arrays whose bytes depend on the arrays alone."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray


def write_arrays(path: Path, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write what `numpy.savez_compressed` would write, with a fixed date and system for every member.

    A rebuild writes the same bytes as long as zlib compresses the same way.
    """
    with zipfile.ZipFile(path, "w") as archive:
        for name, array in arrays.items():
            content = io.BytesIO()
            np.lib.format.write_array(content, array, version=(1, 0), allow_pickle=False)
            member = zipfile.ZipInfo(f"{name}.npy", date_time=(1980, 1, 1, 0, 0, 0))
            member.create_system = 3
            archive.writestr(member, content.getvalue(), zipfile.ZIP_DEFLATED, compresslevel=9)
