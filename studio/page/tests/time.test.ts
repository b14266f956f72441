// Times as they are typed and read, marks on the time line, and the search for a clip.
import assert from "node:assert/strict";
import { test } from "node:test";
import { marks_in_clip } from "../src/bars/time_marks.ts";
import { matching, next_choice } from "../src/widgets/search.ts";
import { theme_of } from "../src/widgets/theme.ts";
import { back_between, frame_at, parsed_time, played_part, ruler_step, time_of_frame, with_mark } from "../src/widgets/time_text.ts";

test("a time is typed in seconds, minutes, or frames from the clip's start", () => {
  for (const [text, seconds] of [["1.5", 1.5], ["1,5 s", 1.5], [" .25", 0.25], ["2", 2], ["-0.5", -0.5], ["1:02.5", 62.5], ["0:07", 7],
    ["45f", 2.5], ["f 45", 2.5], ["0 f", 1]] as const)
    assert.equal(parsed_time(text, 1, 30), seconds, text);
  for (const text of ["", "abc", "1.2.3", "1:2:3", "-3f", "f", "1e3", "NaN"]) assert.equal(parsed_time(text, 0, 30), null, text);
});

test("frames and times lead to each other at any rate", () => {
  for (const rate of [24, 25, 30, 60])
    for (const frame of [0, 1, 17, 1000]) assert.equal(frame_at(time_of_frame(frame, 0.4, rate), 0.4, rate), frame);
});

const clip = { start: 1, end: 5 };

test("marks leave the part between them; marks that leave nothing are none", () => {
  assert.deepEqual(played_part(clip, null, null), { begin: 1, end: 5 });
  assert.deepEqual(played_part(clip, 2, null), { begin: 2, end: 5 });
  assert.deepEqual(played_part(clip, 0, 3), { begin: 1, end: 3 });
  assert.deepEqual(played_part(clip, 4, 2), { begin: 1, end: 5 });
  assert.deepEqual(played_part(clip, 7, 9), { begin: 1, end: 5 });
});

test("a clip that leaves its marks goes back to the in mark; without marks it goes on", () => {
  const part = { begin: 2, end: 3 };
  assert.equal(back_between(part, clip, 2.5), null);
  assert.equal(back_between(part, clip, 3), 2);
  assert.equal(back_between(part, clip, 1.2), 2); // the clip began again
  for (const time of [1, 3, 5]) assert.equal(back_between({ begin: 1, end: 5 }, clip, time), null);
  assert.equal(back_between({ begin: 1, end: 3 }, clip, 1), null);
});

test("a take's actions stand in its clip, also where that began again", () => {
  const times = marks_in_clip([[0, "grab"], [2, "release"], [5, "gravity"]], 1, clip).map(({ time }) => time);
  assert.deepEqual(times, [2, 4, 3]);
});

test("an end that is set again is taken away, and one that passes the other end takes that away", () => {
  const none = { mark_in: null, mark_out: null }, f = 1 / 30;
  assert.deepEqual(with_mark(none, "in", 2, f), { mark_in: 2, mark_out: null });
  assert.deepEqual(with_mark({ mark_in: 2, mark_out: 3 }, "in", 2, f), { mark_in: null, mark_out: 3 });
  assert.deepEqual(with_mark({ mark_in: 2, mark_out: 3 }, "in", 3, f), { mark_in: 3, mark_out: null });
  assert.deepEqual(with_mark({ mark_in: 2, mark_out: 3 }, "out", 1, f), { mark_in: null, mark_out: 1 });
  assert.deepEqual(with_mark({ mark_in: 2, mark_out: null }, "out", 4, f), { mark_in: 2, mark_out: 4 });
});

test("a ruler has round steps and never more lines than there is room for", () => {
  assert.equal(ruler_step(1, 12), 0.1);
  assert.equal(ruler_step(4, 12), 0.5);
  for (const seconds of [0.3, 2, 17, 100, 5000]) assert.ok(seconds / ruler_step(seconds, 12) <= 12 + 1e-9);
});

test("clips are found by parts of their names in any order, with those first that begin so", () => {
  const names = ["Attack_Heavy_01", "run-jump", "Jump", "idle", "Jump_Attack"];
  assert.deepEqual(matching(names, "jump"), ["Jump", "Jump_Attack", "run-jump"]);
  assert.deepEqual(matching(names, "attack jump"), ["Jump_Attack"]);
  assert.deepEqual(matching(names, "attack heavy"), ["Attack_Heavy_01"]);
  assert.deepEqual(matching(names, "swim"), []);
  assert.deepEqual(matching(names, " "), names);
});

test("arrow keys go through a list and stop at its ends", () => {
  assert.equal(next_choice(-1, 1, 3), 0);
  assert.equal(next_choice(-1, -1, 3), 2);
  assert.equal(next_choice(1, 8, 3), 2);
  assert.equal(next_choice(0, -1, 3), 0);
  assert.equal(next_choice(0, 1, 0), -1);
});

test("the theme is the user's, else the system's", () => {
  assert.equal(theme_of(null, true), "light");
  assert.equal(theme_of(null, false), "dark");
  assert.equal(theme_of("dark", true), "dark");
  assert.equal(theme_of("light", false), "light");
  assert.equal(theme_of("pink", false), "dark");
});
