#!/usr/bin/env node
// Writes playground/data/sensors.csv: an invented table of a building's sensors, as an example of named columns.
//
// Sixteen occasional events (people come, a window is open, a heater or a machine runs, in four rooms) each change
// the four sensors of a room in their own way. All happen equally often and equally strongly, so the
// covariance cannot separate them, but zeros can. Needs a build.
import { writeFileSync } from 'node:fs';
import { generate } from '../dist/index.js';

const ROOMS = ['hall', 'office', 'lab', 'store'];
const SENSORS = ['temperature', 'humidity', 'co2', 'noise'];
/** How each event changes the sensors of its room. */
const EVENTS = [
  [+1, +1, +1, +1], // people
  [+1, +1, -1, -1], // an open window in summer
  [+1, -1, +1, -1], // a gas heater
  [+1, -1, -1, +1], // a machine with a fan
];
const HOURS = 24 * 30;
const START = Date.UTC(2024, 5, 1);
const NOISE = 0.08;

const columns = ROOMS.flatMap((room) => SENSORS.map((sensor) => `${room}_${sensor}`));
const shape = { samples: HOURS, features: columns.length };
const events = generate({ ...shape, theta: 0.15, seed: 5 }).codes;
const noise = generate({ ...shape, theta: 1, seed: 6 }).codes;

const lines = Array.from({ length: HOURS }, (_, hour) => {
  const time = new Date(START + hour * 3_600_000).toISOString().slice(0, 16).replace('T', ' ');
  const values = columns.map((_, column) => {
    const room = Math.floor(column / 4);
    const moved = EVENTS.map((signs, event) => (signs[column % 4] / 2) * at(events, hour, 4 * room + event));
    return (moved.reduce((sum, value) => sum + value, 0) + NOISE * at(noise, hour, column)).toFixed(2);
  });
  return [time, ...values].join(',');
});

function at({ cols, data }, row, column) {
  return data[row * cols + column];
}

writeFileSync(
  new URL('../playground/data/sensors.csv', import.meta.url),
  `${[['time', ...columns].join(','), ...lines].join('\n')}\n`,
);
