import { expect, test } from 'bun:test';
import { entityNumber } from '../../src/domain/ids.ts';
import { type RecordChange, type RecordFollower, SignalRecorder } from '../../src/record/signal-recorder.ts';
import { removeWire, wireTime } from '../feed/wire.ts';
import { fullFixture, SignalStage, VIEWS } from '../stream/signal-stage.ts';

const EVENTS = ['e1', 'e2', 'e3', 'e4'];

/** The events whose signals opened, and how many signals closed. */
function summary(changes: readonly RecordChange[]) {
  const opened = new Set(
    changes.flatMap((change) => (change.change === 'opened' ? [change.eventNumber] : [])),
  );
  return {
    opened: EVENTS.filter((event) => opened.has(entityNumber('event', 0, event))),
    closed: changes.filter(({ change }) => change === 'closed').length,
  };
}

test('signals of a fixture that leaves the slate after it was scored are not recorded, and all others are', async () => {
  const stage = new SignalStage();
  const { desk } = stage;
  const follower = stage.live.follow(stage.view(VIEWS[0]!), false);
  let isLeaving = true;
  const followed: RecordFollower = {
    view: follower.view,
    get hasBegun() {
      return follower.hasBegun;
    },
    current: (nowMs) => follower.current(nowMs),
    // Another thread writes the slate, so a fixture can leave at this moment.
    step: async (...step) => {
      const changes = await follower.step(...step);
      if (isLeaving) desk.send(removeWire(0, 'e1'));
      return changes;
    },
  };
  const recorder = new SignalRecorder(desk.slate, followed);
  const returnToSlate = () =>
    desk.send(...fullFixture('e1', null).map((wire) => ({ ...wire, at: wireTime(desk.nowMs) })));
  const step = async () => summary(await recorder.step(desk.nowMs));

  // The kickoff of e3 has passed and it is not live, so it has no signals.
  expect(await step()).toEqual({ opened: ['e2', 'e4'], closed: 0 });
  expect(await step()).toEqual({ opened: [], closed: 0 });
  returnToSlate();
  expect(await step()).toEqual({ opened: [], closed: 0 });
  isLeaving = false;
  expect(await step()).toEqual({ opened: [], closed: 0 });
  returnToSlate();
  const returned = await recorder.step(desk.nowMs);
  expect(summary(returned)).toEqual({ opened: ['e1'], closed: 0 });
  desk.send(removeWire(0, 'e1'));
  expect(await step()).toEqual({ opened: [], closed: returned.length });
});
