// The spans of time that the live map covers.

import {_} from './text.js';

const {cockpit} = window;

/** Returns the start of a day of the kiosk's calendar, in ms; the day is one that `date` understands. */
async function midnight(day) {
  // The kiosk's time zone counts, not the browser's.
  return Number(await cockpit.spawn(['date', '--date', day, '+%s'])) * 1000;
}

const since = (day) => async () => ({span: {sinceAtMs: await midnight(day), untilAtMs: null}});

/** For each span its title, and what GetGrids is asked for; null for the running session alone. */
export const spans = {
  today: {title: _('Today'), parameters: since('today 00:00')},
  session: {title: _('Running session'), parameters: async () => null},
  week: {title: _('Last 7 days'), parameters: since('today 00:00 6 days ago')},
  month: {title: _('Last 30 days'), parameters: since('today 00:00 29 days ago')},
  all: {title: _('All time'), parameters: async () => ({})},
};
