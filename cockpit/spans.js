// Spans of time in days of the kiosk's calendar, in the kiosk's time zone.

import {_} from './text.js';

const {cockpit} = window;

const date = async (...words) => (await cockpit.spawn(['date', ...words])).trim();

/** Returns a day of the kiosk's calendar, `YYYY-MM-DD`: today for 0, yesterday for 1. */
export const dayBefore = (count) => date('--date', `12:00 ${count} days ago`, '+%F');

/** Returns the start of a day in ms since 1970. If clocks are set forward at midnight, the day starts at 1:00. */
async function beginning(day) {
  const seconds = await date('--date', `${day} 00:00`, '+%s').catch(() => date('--date', `${day} 01:00`, '+%s'));
  return Number(seconds) * 1000;
}

/**
 * Returns a function that resolves a span now: to `parameters` for GetGrids (null: the running session alone), and the
 * time when they change.
 */
const lastDays = (count) => async () => {
  const [first, tomorrow] = await Promise.all([count - 1, -1].map(dayBefore));
  const [sinceAtMs, endsAtMs] = await Promise.all([first, tomorrow].map(beginning));
  return {parameters: {span: {sinceAtMs, untilAtMs: null}}, sinceAtMs, endsAtMs};
};

/** The spans of the live map. */
export const spans = {
  today: {title: _('Today'), resolve: lastDays(1)},
  session: {title: _('Running session'), resolve: async () => ({parameters: null, sinceAtMs: null, endsAtMs: null})},
  week: {title: _('Last 7 days'), resolve: lastDays(7)},
  month: {title: _('Last 30 days'), resolve: lastDays(30)},
  all: {title: _('All time'), resolve: async () => ({parameters: {}, sinceAtMs: null, endsAtMs: null})},
};
