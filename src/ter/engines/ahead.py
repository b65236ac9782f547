"""Workers that need not wait for the slowest of a batch: what is certain to be asked for later is begun ahead.

A heuristic may say what comes after its next batch (:class:`ter.core.allowance.Chain`): rows that follow from the
values of some rows of the batch only. As soon as these are known, the chain goes on, while the rest of the batch is
under way. The heuristic itself learns nothing of it. It asks for its batches one after the other, and is answered with
what was evaluated ahead if the point is the same, bit for bit. So values, books, journals and the order of evaluations
are those of a run that waits; an evaluation that nobody asks for in the end is not counted.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Any

import numpy as np

from ter.core.allowance import Chain
from ter.core.backend import Backend
from ter.core.box import Vector
from ter.engines.engine import Matrix
from ter.engines.posting import Answer, Block, LostBlock

__all__ = ["LookAhead"]

Cut = Callable[[Matrix], list[Block]]  # rows of a chain, as blocks of one point each


@dataclass(eq=False)
class _Sent:
    """A block on its way, its answer when it is there, and the chains that wait for it."""

    block: Block
    answer: Answer | LostBlock | None = None
    waiting: list[_Running] = field(default_factory=list)

    @property
    def value(self) -> float:
        """The value of its point; infinite if it failed, as heuristics see it."""
        values = self.answer.outcome.values if isinstance(self.answer, Answer) else np.empty(0)
        return float(values[0]) if values.size and np.isfinite(values[0]) else np.inf


class _Blocks(Sequence[Block]):
    """Blocks that are sent, in a list that grows and forgets what is answered: a row may be large."""

    def __init__(self) -> None:
        self._waiting: dict[int, _Sent] = {}
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, place: Any) -> Any:
        return self._waiting[place].block

    def __iter__(self) -> Iterator[Block]:
        return iter([sent.block for sent in self.unanswered()])

    def append(self, sent: _Sent) -> None:
        """Give a block the next number."""
        sent.block = replace(sent.block, index=self._size)
        self._waiting[self._size] = sent
        self._size += 1

    def take(self, answer: Any) -> _Sent | None:
        """Return whose answer it is; None if it is nobody's."""
        return self._waiting.pop(answer.index, None) if isinstance(answer, Answer | LostBlock) else None

    def unanswered(self) -> list[_Sent]:
        """Return those that are under way."""
        return list(self._waiting.values())


@dataclass(eq=False)
class _Running:
    """A chain under way."""

    chain: Chain
    cut: Cut
    rows: Generator[Matrix, Vector, None] | None = None
    stage: list[_Sent] = field(default_factory=list)  # its last rows
    missing: int = 0  # how many of them it waits for
    ahead: dict[bytes, _Sent] = field(default_factory=dict)  # by their marks: what nobody has asked for yet
    begun: set[bytes] = field(default_factory=set)  # the marks of the first points of its stages
    over: bool = False

    def next_rows(self) -> list[Block]:
        """Go on, when nothing is missing; no rows if there are no more."""
        try:
            if self.rows is None:
                self.rows = self.chain.begin()
                return self.cut(next(self.rows))
            return self.cut(self.rows.send(np.array([sent.value for sent in self.stage])))
        except StopIteration:
            self.over = True
            return []


class LookAhead:
    """A backend that goes ahead on the workers of another one.

    Parameters
    ----------
    backend : Backend
        Has the workers.
    """

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self.takes_single_points, self.keeps_base = backend.takes_single_points, backend.keeps_base
        self._chains: list[_Running] = []
        self._spare: dict[bytes, _Sent] = {}  # what chains have begun that were dropped
        self._blocks = _Blocks()
        self._first = 0  # how many the backend had from the start
        self._answers: Any = None  # of the backend, as long as something is under way
        self._go_on: Callable[[], bool] = bool
        self._ended = False  # whether the backend was told to give up

    @property
    def width(self) -> int:
        """That of the other backend."""
        return self._backend.width

    @property
    def ahead(self) -> bool:
        """Whether there is something to go ahead with."""
        return bool(self._chains)

    def prepare(self, task: Any) -> None:
        """Begin to start workers."""
        self._backend.prepare(task)

    def close(self) -> None:
        """Give up what nobody has asked for, and free the workers."""
        self._give_up()
        self._backend.close()

    def offer(self, chains: Sequence[tuple[Chain, Cut]]) -> None:
        """Go ahead with these chains from the next batch on, and no longer with others.

        Those that are under way already are told by their first points. What others have begun may be asked for in the
        next batch.
        """
        running = {mark: each for each in self._chains for mark in each.begun}
        kept = [running.get(_mark(cut(chain.first[None])[0])) or _Running(chain, cut) for chain, cut in chains]
        dropped = [each for each in self._chains if each not in kept]
        self._spare = {mark: sent for each in dropped for mark, sent in each.ahead.items()}
        for each in dropped:
            each.over = True
        self._chains = kept

    def run(self, task: Any, blocks: Sequence[Block], go_on: Callable[[], bool]) -> Iterator[Any]:
        """Yield the answers of these blocks, as they come, and go ahead meanwhile."""
        if self._answers is None and not (self._chains or self._spare):
            yield from self._backend.run(task, blocks, go_on)
            return
        self._go_on, whole = go_on, False
        try:
            wanted = self._ask(blocks)
            for sent in [sent for sent in wanted if sent.answer is not None]:
                yield replace(sent.answer, index=wanted.pop(sent))  # type: ignore[type-var]
            while wanted:
                answer = self._next(task)
                if answer is None:
                    if self._ended_early:
                        return
                    continue
                taken = self._blocks.take(answer)
                if taken is None:  # whoever gets it says what is wrong
                    yield replace(answer, index=-1) if isinstance(answer, Answer | LostBlock) else answer
                else:
                    self._note(taken, answer)
                    if taken in wanted:
                        yield replace(answer, index=wanted.pop(taken))
            whole = True
        finally:
            if not whole:
                self._give_up()
            elif not self._blocks.unanswered():
                self._hang_up()
            self._chains, self._spare = [chain for chain in self._chains if chain.ahead or not chain.over], {}

    def _ask(self, blocks: Sequence[Block]) -> dict[_Sent, int]:
        """Send what is not under way; chains that are new begin with what is asked for here."""
        wanted, here = dict[_Sent, int](), dict[bytes, _Sent]()
        places = (self._spare, *(each.ahead for each in self._chains))
        for block in blocks:
            mark = _mark(block)
            found = [place.pop(mark) for place in places if mark in place]
            here[mark] = sent = found[0] if found else self._send(block)
            wanted[sent] = block.index
        for chain in self._chains:
            if chain.rows is None:
                self._go_ahead(chain, here)
        return wanted

    def _note(self, sent: _Sent, answer: Answer | LostBlock) -> None:
        """Keep an answer, and let chains go on that have waited for nothing else."""
        sent.answer = answer
        waiting, sent.waiting = sent.waiting, []
        for chain in waiting:
            chain.missing -= 1
            self._go_ahead(chain, {})

    def _go_ahead(self, chain: _Running, known: dict[bytes, _Sent]) -> None:
        """Send the next rows of a chain, unless they are under way."""
        while not (chain.over or chain.missing) and (blocks := chain.next_rows()):
            marks = [_mark(block) for block in blocks]
            chain.begun.add(marks[0])
            for mark, block in zip(marks, blocks, strict=True):
                if mark not in known and mark not in chain.ahead:
                    chain.ahead[mark] = self._send(block)
            chain.stage = [known.get(mark) or chain.ahead[mark] for mark in marks]
            for sent in chain.stage:
                if sent.answer is None:
                    sent.waiting.append(chain)
                    chain.missing += 1

    def _send(self, block: Block) -> _Sent:
        sent = _Sent(block)
        self._blocks.append(sent)
        return sent

    def _next(self, task: Any) -> Any:
        """Wait for an answer; None if the backend has no more."""
        if self._answers is None:
            waiting, self._blocks = self._blocks.unanswered(), _Blocks()
            for sent in waiting:
                self._blocks.append(sent)
            self._first, self._ended = len(waiting), False
            self._answers = self._backend.run(task, self._blocks, self._look)
        answer = next(self._answers, None)
        if answer is None:
            self._answers = None
        return answer

    @property
    def _ended_early(self) -> bool:
        """Whether the backend has ended before it had answered all: otherwise what came later is sent once more."""
        return self._ended or any(sent.block.index < self._first for sent in self._blocks.unanswered())

    def _look(self) -> bool:
        self._ended = not self._go_on()
        return not self._ended

    def _hang_up(self) -> None:
        if self._answers is not None:
            self._answers.close()
        self._answers, self._blocks = None, _Blocks()

    def _give_up(self) -> None:
        """End what is under way, and forget the chains: some of their values will never come."""
        self._hang_up()
        self._chains, self._spare = [], {}


def _mark(block: Block) -> bytes:
    """Return what tells the points of a block from others: a digest of their bits."""
    return blake2b(block.points().data, digest_size=16).digest()
