# ruff: noqa: NPY002 - inside Numba functions there is no other generator
"""Evolution strategies of linear memory in one skeleton, to choose from: ``python candidates.py out.csv [name ...]``.

Each draws ``mean + sigma * step`` and moves the mean to the weighted better half. What differs is how a step is made of
normal numbers, and how the step size adapts. Written for comparing, not for use: no pausing, no restarts.

References: sep-CMA-ES (Ros, Hansen 2008); R1-ES and Rm-ES (Li, Zhang 2018); LM-MA-ES (Loshchilov, Glasmachers, Beyer
2018); MMES (He, Zhou, Chen, Huang 2020); VD-CMA (Akimoto, Auger, Hansen 2014) for scales beside a direction.
"""

from __future__ import annotations

import csv
import itertools
import math
import sys
import time
from pathlib import Path

import numba
import numpy as np
from functions import FUNCTIONS, make_value

DIMENSION, SEEDS = 320, (1, 2, 3)
MILESTONES = np.array([30, 100])  # evaluations per variable
SEP, R1, RM, LMMA, MMES, SEP_R1, SEP_LMMA, SEP_RM = range(8)
CSA, SUCCESS, PAIRS = range(3)


@numba.njit(error_model="numpy")
def make_step(mode, z, step, scales, paths, used, r1, gaps):
    """Turn normal numbers into a step."""
    n = z.shape[0]
    if mode == SEP:
        for j in range(n):
            step[j] = scales[j] * z[j]
    elif mode in (R1, SEP_R1, RM, SEP_RM):
        for j in range(n):
            step[j] = z[j]
        for k in range(used):
            r = np.random.normal()
            for j in range(n):
                step[j] = math.sqrt(1.0 - r1) * step[j] + math.sqrt(r1) * r * paths[k, j]
        if mode in (SEP_R1, SEP_RM):
            for j in range(n):
                step[j] *= scales[j]
    elif mode in (LMMA, SEP_LMMA):
        for j in range(n):
            step[j] = z[j]
        for k in range(used):
            c = 1.0 / (1.5**k * n)
            dot = 0.0
            for j in range(n):
                dot += paths[k, j] * step[j]
            for j in range(n):
                step[j] = (1.0 - c) * step[j] + c * dot * paths[k, j]
        if mode == SEP_LMMA:
            for j in range(n):
                step[j] *= scales[j]
    elif mode == MMES:
        ca = 3.8 / n
        gamma = 1.0 - (1.0 - ca) ** paths.shape[0] if used else 0.0
        for j in range(n):
            step[j] = math.sqrt(1.0 - gamma) * z[j]
        for _ in range(4 if used else 0):
            back = 1
            while np.random.random() > ca and back < 10 * used:
                back += 1
            k = gaps[used - 1 - (back - 1) % used]
            r = math.sqrt(gamma / 4.0) * np.random.normal()
            for j in range(n):
                step[j] += r * paths[k, j]


@numba.njit(error_model="numpy")
def better_ranks(before, now, weights):
    """Return the weighted mean difference of the ranks of two sorted generations among both, as R1-ES does."""
    mu = weights.shape[0]
    i = j = rank = 0
    q = 0.0
    while i < mu or j < mu:
        if i < mu and (j >= mu or now[i] <= before[j]):
            q -= weights[i] * rank
            i += 1
        else:
            q += weights[j] * rank
            j += 1
        rank += 1
    return q / mu


@numba.njit(error_model="numpy")
def solve(value, mode, rule, n, size, mean, sigma, milestones, seed):
    np.random.seed(seed)
    lower, upper = -5.0, 5.0
    mu = size // 2
    weights = np.array([math.log((size + 1) / 2) - math.log(i + 1.0) for i in range(mu)])
    weights /= weights.sum()
    mu_eff = 1.0 / (weights**2).sum()
    c_sigma = (mu_eff + 2.0) / (n + mu_eff + 5.0)
    damping = 1.0 + 2.0 * max(0.0, math.sqrt((mu_eff - 1.0) / (n + 1.0)) - 1.0) + c_sigma
    if mode in (LMMA, SEP_LMMA):
        c_sigma = min(0.5, 2.0 * size / n) if rule == CSA else c_sigma
    separable = mode in (SEP, SEP_R1, SEP_LMMA, SEP_RM)
    c_1 = min(1.0, 2.0 / ((n + 1.3) ** 2 + mu_eff) * (n + 1.5) / 3.0)
    c_mu = min(1.0 - c_1, 2.0 * (mu_eff - 2.0 + 1.0 / mu_eff) / ((n + 2.0) ** 2 + mu_eff) * (n + 1.5) / 3.0)
    c_c = (4.0 + mu_eff / n) / (n + 4.0 + 2.0 * mu_eff / n)
    r1 = 1.0 / (3.0 * math.sqrt(n) + 5.0)
    rows = 1
    if mode in (RM, SEP_RM):
        rows = 2
    elif mode in (LMMA, SEP_LMMA):
        rows = 4 + int(3 * math.log(n))
    elif mode == MMES:
        rows = 2 * math.ceil(math.sqrt(n))
    c_path = 0.4 / math.sqrt(n) if mode == MMES else 2.0 / (n + 7.0)
    scales, variance = np.ones(n), np.ones(n)
    path, own = np.zeros(n), np.zeros(n)
    paths, times, gaps, used = np.zeros((rows, n)), np.zeros(rows), np.zeros(rows, np.int64), 0
    z, step = np.empty((size, n)), np.empty((size, n))
    values, point = np.empty(size), np.empty(n)
    before, has_before = np.full(mu, np.inf), False
    s, best, count, generation = 0.0, np.inf, 0, 0
    kept, reached = np.zeros(milestones.shape[0]), 0
    while True:
        for r in range(size):
            for j in range(n):
                z[r, j] = np.random.normal()
            make_step(mode, z[r], step[r], scales, paths, used, r1, gaps)
            for j in range(n):
                t = (mean[j] + sigma * step[r, j] - lower) % (2.0 * (upper - lower))
                point[j] = lower + (t if t <= upper - lower else 2.0 * (upper - lower) - t)
            values[r] = value(point)
            best = min(best, values[r])
            count += 1
            if count == milestones[reached]:
                kept[reached] = best
                reached += 1
                if reached == kept.shape[0]:
                    return kept
        order = np.argsort(values)
        along = np.zeros(n)
        moved = np.zeros(n)
        for m in range(mu):
            for j in range(n):
                along[j] += weights[m] * z[order[m], j]
                moved[j] += weights[m] * step[order[m], j]
        for j in range(n):
            mean[j] += sigma * moved[j]
        generation += 1
        # Directions
        if mode in (R1, RM, MMES, SEP_R1, SEP_RM):
            for j in range(n):
                d = moved[j] / scales[j] if separable else moved[j]
                own[j] = (1.0 - c_path) * own[j] + math.sqrt(c_path * (2.0 - c_path) * mu_eff) * d
        if mode in (R1, SEP_R1):
            used, paths[0] = 1, own
        elif mode in (RM, MMES, SEP_RM):
            gap = n if mode in (RM, SEP_RM) else math.ceil(1.0 / c_path)
            if used < rows:
                gaps[used] = used
                k = used
                used += 1
            else:
                least = 1
                for i in range(1, rows):
                    if times[gaps[i]] - times[gaps[i - 1]] < times[gaps[least]] - times[gaps[least - 1]]:
                        least = i
                if times[gaps[least]] - times[gaps[least - 1]] > gap:
                    least = 0
                k = gaps[least]
                for i in range(least, rows - 1):
                    gaps[i] = gaps[i + 1]
                gaps[rows - 1] = k
            times[k] = generation
            paths[k] = own
        elif mode in (LMMA, SEP_LMMA):
            used = min(rows, generation)
            for k in range(rows):
                c = min(1.0, size / (4.0**k * n))
                for j in range(n):
                    paths[k, j] = (1.0 - c) * paths[k, j] + math.sqrt(mu_eff * c * (2.0 - c)) * along[j]
        # Step size
        length = 0.0
        for j in range(n):
            path[j] = (1.0 - c_sigma) * path[j] + math.sqrt(c_sigma * (2.0 - c_sigma) * mu_eff) * along[j]
            length += path[j] * path[j]
        now = values[order[:mu]]
        if rule == CSA:
            if mode in (LMMA, SEP_LMMA):
                sigma *= math.exp(0.5 * c_sigma * (length / n - 1.0))
            else:
                sigma *= math.exp(min(1.0, c_sigma / damping * (math.sqrt(length / n) - 1.0)))
        elif rule == SUCCESS:
            if has_before:
                s = 0.7 * s + 0.3 * (better_ranks(before, now, weights) - 0.3)
                sigma *= math.exp(s)
        elif has_before:
            q = 0.0
            for m in range(mu):
                q += weights[m] * (1.0 if now[m] < before[m] else 0.0)
            s = 0.7 * s + math.sqrt(0.3 * 1.7 * mu_eff) * (2.0 * q - 1.0)
            sigma *= math.exp(0.5 * math.erfc(-s / math.sqrt(2.0)) - 0.95)
        before, has_before = now, True
        # Scales
        if separable:
            shift = length / n < 2.0 + 4.0 / (n + 1.0)
            for j in range(n):
                if mode == SEP:
                    own[j] = (1.0 - c_c) * own[j] + shift * math.sqrt(c_c * (2.0 - c_c) * mu_eff) * moved[j]
                rank_mu = 0.0
                for m in range(mu):
                    # Where there are directions too, scales learn from what the directions do not explain.
                    e = step[order[m], j] if mode == SEP else scales[j] * z[order[m], j]
                    rank_mu += weights[m] * e * e
                first = own[j] * own[j] if mode == SEP else rank_mu
                variance[j] = (1.0 - c_1 - c_mu) * variance[j] + c_1 * first + c_mu * rank_mu
                scales[j] = math.sqrt(variance[j])


CANDIDATES = {
    "sep-CMA-ES": (SEP, CSA),
    "R1-ES": (R1, SUCCESS),
    "Rm-ES": (RM, SUCCESS),
    "LM-MA-ES": (LMMA, CSA),
    "LM-MA-ES, success rule": (LMMA, SUCCESS),
    "MMES": (MMES, PAIRS),
    "MMES, success rule": (MMES, SUCCESS),
    "R1-ES with scales": (SEP_R1, SUCCESS),
    "Rm-ES with scales": (SEP_RM, SUCCESS),
}


def main(path: str, chosen: list[str]) -> None:
    """Do the runs that the file has not got."""
    there = Path(path)
    done = {tuple(row[:3]) for row in csv.reader(there.open(encoding="utf-8"))} if there.exists() else set()
    n = DIMENSION
    with there.open("a", newline="", encoding="utf-8") as file:
        values = {name: make_value(name, n) for name in FUNCTIONS}
        for seed, name, who in itertools.product(SEEDS, FUNCTIONS, chosen or CANDIDATES):
            if (name, who, str(seed)) in done:
                continue
            started, size = time.perf_counter(), 4 + int(3 * math.log(n))
            mean = np.random.default_rng(seed).uniform(-5.0, 5.0, n)
            kept = solve(values[name], *CANDIDATES[who], n, size, mean, 3.0, MILESTONES * n, seed)
            csv.writer(file).writerow([name, who, seed, *(f"{y:.3e}" for y in kept)])
            file.flush()
            print(name, who, seed, kept, f"{time.perf_counter() - started:.0f} s", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
