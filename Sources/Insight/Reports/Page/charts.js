// The charts beside the maps: the times of sessions, the times for which screens were shown, and the totals of touches.

import {firstChoice, report} from './data.js';
import {element, folded, foreign, table} from './elements.js';
import {duration, milliseconds, points, range, rounded, sessionCount, share, whole} from './numbers.js';
import {_, filled, plural} from './text.js';

/**
 * Returns a bar chart of numbers of sessions, and a table of the same. Bars are `{label, value, tick}`, where `tick` is
 * the text below the bar, if any. `note`: a sentence about omitted values.
 */
function bars(caption, list, note = null) {
  const most = Math.max(1, ...list.map((bar) => bar.value));
  const chart = element('div', {class: list.every((bar) => bar.tick) ? 'bars labelled' : 'bars', 'aria-hidden': 'true'}, ...list.map((bar) => {
    const title = plural('$0: $1 session', '$0: $1 sessions', bar.value, bar.label, whole.format(bar.value));
    const column = element('div', {class: 'column', title},
      element('div', {class: 'rod'}), element('span', {text: bar.tick ?? ''}));
    column.firstChild.style.height = `${100 * bar.value / most}%`;
    return column;
  }));
  return element('figure', {class: 'chart'},
    element('figcaption', {}, element('h3', {text: caption}),
      element('span', {class: 'quiet',
        text: filled(_('at most $0'), sessionCount(Math.max(0, ...list.map((bar) => bar.value))))})),
    chart, note ? element('p', {class: 'quiet', text: note}) : null, folded(_('As a table'), () => table(caption,
      [{title: ''}, {title: _('Sessions'), isNumber: true}],
      list.map((bar) => [bar.label, whole.format(bar.value)]))));
}

const dayMs = 86400000;
const dayNumber = (day) => Date.parse(day + 'T00:00:00Z') / dayMs;
const dayText = (number) => new Date(number * dayMs).toISOString().slice(0, 10);
const months = [_('Jan'), _('Feb'), _('Mar'), _('Apr'), _('May'), _('Jun'), _('Jul'), _('Aug'), _('Sep'), _('Oct'), _('Nov'),
  _('Dec')];
// Translators: a day and its month, such as "24 Nov".
const shortDay = (day) => filled(_('$0 $1'), Number(day.slice(8)), months[Number(day.slice(5, 7)) - 1]);

/**
 * Returns a chart of the sessions of each day, or of each week (or of several weeks) if the days span more than three
 * months. Days without sessions are included. Returns null if no day has sessions.
 */
export function sessionsOverTime() {
  const {days} = report;
  if (!days.length) return null;
  const first = dayNumber(days[0].day), last = dayNumber(days[days.length - 1].day);
  // At most about 160 bars. If the clock was once wrong by years, a bar stands for several weeks.
  const step = last - first < 92 ? 1 : 7 * Math.ceil((last - first + 1) / 7 / 160);
  // Weeks begin on Monday, like 1970-01-05 (day number 4).
  const start = step === 1 ? first : first - (first - 4) % 7;
  const list = [];
  for (let day = start; day <= last; day += step) {
    const label = dayText(day);
    list.push({value: 0, label: step === 1 ? label : range(label, dayText(day + step - 1)), day: label});
  }
  for (const day of days) list[Math.floor((dayNumber(day.day) - start) / step)].value += day.sessions;
  const every = Math.max(1, Math.ceil(list.length / 6));
  list.forEach((bar, index) => { if (index % every === 0) bar.tick = shortDay(bar.day); });
  return bars(step === 1 ? _('Sessions by day') : plural('Sessions by week', 'Sessions by $0 weeks', step / 7), list);
}

/** Returns a chart of the sessions by the hour in which they began; null if no day has sessions. */
export function hoursOfTheDay() {
  if (!report.days.length) return null;
  const known = report.days.filter((day) => day.hours);
  const list = Array.from({length: 24}, (none, hour) => ({
    label: `${String(hour).padStart(2, '0')}:00`, tick: hour % 6 === 0 ? `${hour}:00` : '',
    value: known.reduce((sum, day) => sum + day.hours[hour], 0),
  }));
  const sessions = sessionsOf(report.days), told = list.reduce((sum, bar) => sum + bar.value, 0);
  if (!told) {
    return element('figure', {class: 'chart'}, element('figcaption', {}, element('h3', {text: _('Sessions by hour')})),
      element('p', {class: 'quiet', text: _('Unknown: only the maps of these days are left.')}));
  }
  return bars(_('Sessions by hour'), list, told < sessions ? plural('$0 of $1 session; the hours of the others are unknown.',
    '$0 of $1 sessions; the hours of the others are unknown.', sessions, whole.format(told), whole.format(sessions)) : null);
}

/** Returns a chart of the durations of sessions; null if the store has no single sessions left. */
export function lengthsOfSessions() {
  const lengths = report.lengths, known = lengths?.sessions.reduce((sum, count) => sum + count, 0);
  if (!known) return null;
  const words = (ms) => ms < 60000 ? filled(_('$0 s'), ms / 1000) : filled(_('$0 min'), ms / 60000);
  const list = lengths.sessions.map((value, index) => {
    const from = lengths.limitsMs[index], to = lengths.limitsMs[index + 1];
    return {value, tick: to ? `< ${words(to)}` : `${words(from)} +`,
      label: to ? range(words(from), words(to)) : filled(_('$0 or longer'), words(from))};
  });
  const all = sessionsOf(report.days);
  const notes = [plural('$0 session of a single touch ($1).', '$0 sessions of a single touch ($1).', lengths.oneTouch,
    whole.format(lengths.oneTouch), share(lengths.oneTouch, known))];
  if (known < all) {
    notes.push(plural('These are $0 of $1 session: the newest that are still stored.',
      'These are $0 of $1 sessions: the newest that are still stored.', all, whole.format(known), whole.format(all)));
  }
  return bars(_('Sessions by length'), list, notes.join(' '));
}

const weekdays = [_('Monday'), _('Tuesday'), _('Wednesday'), _('Thursday'), _('Friday'), _('Saturday'), _('Sunday')];
const shortWeekdays = [_('Mon'), _('Tue'), _('Wed'), _('Thu'), _('Fri'), _('Sat'), _('Sun')];

/** Returns a shaded table of the sessions by weekday and hour; null if the days span less than two weeks. */
export function weekHours() {
  const known = report.days.filter((day) => day.hours);
  if (known.length < 14) return null;
  const sums = weekdays.map(() => new Array(24).fill(0)), days = weekdays.map(() => 0);
  // 1970-01-01, day number 0, was a Thursday.
  for (const day of known) {
    const weekday = (((dayNumber(day.day) + 3) % 7) + 7) % 7;
    days[weekday] += 1;
    day.hours.forEach((count, hour) => { sums[weekday][hour] += count; });
  }
  // Compute means, because the days may include some weekdays more often than others.
  sums.forEach((row, weekday) => row.forEach((sum, hour) => { row[hour] = sum / Math.max(1, days[weekday]); }));
  const most = Math.max(...sums.flat()) || 1;
  const rows = sums.map((row, index) => element('tr', {},
    element('th', {scope: 'row', text: shortWeekdays[index]}),
    ...row.map((count, hour) => {
      // Translators: a weekday, an hour such as "08:00", and a mean.
      const title = plural('$0, $1: $2 session a day', '$0, $1: $2 sessions a day', count, weekdays[index],
        `${String(hour).padStart(2, '0')}:00`, rounded(count));
      const cell = element('td', {title}, element('span', {class: 'unseen', text: rounded(count)}));
      cell.style.setProperty('--part', Math.sqrt(count / most));
      return cell;
    })));
  const heads = Array.from({length: 24}, (none, hour) => element('th', {scope: 'col'},
    hour % 6 === 0 ? `${hour}:00` : element('span', {class: 'unseen', text: `${hour}:00`})));
  return element('figure', {class: 'chart'},
    element('figcaption', {}, element('h3', {text: _('Sessions by weekday and hour')}),
      element('span', {class: 'quiet', text: filled(_('at most $0 a day'), rounded(Math.max(...sums.flat())))})),
    element('table', {class: 'week'}, element('thead', {}, element('tr', {}, element('td'), ...heads)),
      element('tbody', {}, ...rows)));
}

/** Returns a table of the time that each screen was shown, over the whole report; null without screens. */
export function shownTimes() {
  const rows = report.screens.filter((screen) => screen.maps[firstChoice])
    .map((screen) => ({screen, map: screen.maps[firstChoice]}))
    .sort((a, b) => b.map.shownMs - a.map.shownMs);
  if (!rows.length) return null;
  const most = Math.max(1, rows[0].map.shownMs);
  const made = table(_('How long screens were shown'),
    [{title: _('Screen')}, {title: ''}, {title: _('Shown'), isNumber: true},
      {title: _('A session'), isNumber: true}, {title: _('Sessions'), isNumber: true},
      {title: _('Touches'), isNumber: true}],
    rows.map(({screen, map}) => {
      const rod = element('span', {class: 'lying', 'aria-hidden': 'true'});
      rod.style.setProperty('--part', map.shownMs / most);
      return [element('span', {}, foreign(screen.screen), isAlone(screen) ? null
        : element('small', {class: 'quiet', text: ` ${points(screen.geometry.width)} × ${points(screen.geometry.height)}`})),
      rod, {text: duration(map.shownMs), title: milliseconds(map.shownMs)},
      map.sessions ? duration(map.shownMs / map.sessions) : '–', whole.format(map.sessions),
      whole.format(map.touches)];
    }), {class: 'wide'});
  return element('div', {}, made, element('p', {class: 'quiet',
    text: _('A screen counts as shown from the beginning of a session to its last touch. The time between sessions, when '
      + 'nobody is there, counts for none.')}));
}

/** Returns whether the report has this screen on a single display and geometry. */
export function isAlone(screen) {
  return report.screens.filter((other) => other.screen === screen.screen).length === 1;
}

/** Returns the number of sessions of days. */
export const sessionsOf = (days) => days.reduce((sum, day) => sum + day.sessions, 0);

/** The days without totals: their sessions were deleted, and the store comes from a version without daily totals. */
const daysWithoutBooks = () => report.days.filter((day) => !day.totals);

/** Returns the sum of the totals of all days that have totals. */
function totals() {
  const sum = {};
  for (const day of report.days) {
    for (const [name, count] of Object.entries(day.totals ?? {})) sum[name] = (sum[name] ?? 0) + count;
  }
  return sum;
}

/**
 * Returns the number of touches that began, as `{text, name, title}`. It is a lower bound if days have no totals: of
 * these, only the touches on the maps are known.
 */
export function touchesBegun() {
  const {begun = 0, counted: placed = 0} = totals();
  // Translators: the number is above this name.
  const name = (count) => plural('touch', 'touches', count);
  if (!daysWithoutBooks().length) return {text: whole.format(begun), name: name(begun)};
  const mapped = report.screens.reduce((sum, {maps}) => sum + (maps[firstChoice]?.touches ?? 0), 0);
  const least = begun + Math.max(0, mapped - placed);
  return {text: least ? filled(_('at least $0'), whole.format(least)) : _('unknown'), name: name(least),
    title: plural('Only the touches on the maps are known for $0 day.',
      'Only the touches on the maps are known for $0 days.', daysWithoutBooks().length)};
}

function equation(sum) {
  const count = (name) => sum[name] ?? 0;
  // Translators: this and the next ones are below numbers, in a sum: what became of the touches.
  const parts = [['counted', _('counted'), _('shown on the maps')],
    ['masked', _('masked'), _('inside a mask: position not recorded')],
    ['palms', _('palms'), _('reported as palms by the panel')],
    ['suspectedGhosts', _('suspected ghosts'), _('at the same point, at regular intervals')],
    ['swallowed', _('swallowed'), _('kept from the app')],
    ['stillDown', _('still down'), _('still down, or not decided yet, when their session was written')]];
  const balances = parts.reduce((all, [name]) => all + count(name), 0) === count('begun');
  const term = (value, name, title) => element('div', {class: 'term', title},
    element('strong', {text: whole.format(value)}), element('span', {text: name}));
  const made = element('div', {class: 'equation', role: 'group', 'aria-label': _('The totals')},
    term(count('begun'), plural('touch begun', 'touches begun', count('begun'))));
  parts.forEach(([name, words, title], index) => {
    made.append(element('div', {class: 'summand'}, element('span', {class: 'sign', text: index ? '+' : '='}),
      term(count(name), words, title)));
  });
  return [made, element('p', {class: balances ? 'quiet' : 'alarm', text: !balances
    ? _('THE TOTALS DO NOT ADD UP: please report this.') : daysWithoutBooks().length
      ? _('The totals add up: every touch that began on these days is accounted for.')
      : _('The totals add up: every touch that began is accounted for.')}),
  count('swallowed') ? element('p', {class: 'quiet', text: plural(
    'The app did not get $0 touch: it began in a cover, or while a program took all touches.',
    'The app did not get $0 touches: they began in a cover, or while a program took all touches.',
    count('swallowed'), whole.format(count('swallowed')))}) : null].filter(Boolean);
}

/** Returns a table of the totals of touches, and the touches that no total includes. */
export function books() {
  const sum = totals(), count = (name) => sum[name] ?? 0;
  const lost = daysWithoutBooks().length, all = report.days.length, hasBooks = lost < all;
  const section = element('section', {class: 'part', 'aria-labelledby': 'books'},
    element('h2', {id: 'books', text: _('What became of every touch')}));
  if (lost) {
    const known = plural('This is known of $0 of $1 day.', 'This is known of $0 of $1 days.', all,
      whole.format(all - lost), whole.format(all));
    const rest = plural('Of the other $0 day ($1) only the maps are left: how many touches were masked, palms or suspected '
      + 'ghosts is unknown.', 'Of the other $0 days ($1) only the maps are left: how many touches were masked, palms or '
      + 'suspected ghosts is unknown.', lost, whole.format(lost), sessionCount(sessionsOf(daysWithoutBooks())));
    section.append(element('p', {class: 'notice books', text: hasBooks ? `${known} ${rest}`
      : plural('Of this day only the maps are left: how many touches were masked, palms or suspected ghosts is unknown.',
        'Of these $0 days only the maps are left: how many touches were masked, palms or suspected ghosts is unknown.', lost)}));
  }
  const notes = [];
  if (hasBooks) {
    section.append(...equation(sum));
    notes.push(
      [_('Times the kernel dropped events'), count('drops'), _('touches may be missing')],
      [_('Samples clamped to an edge'), count('clampedSamples'), _('outside the panel’s range or the display')],
      [_('Touches cancelled'), count('cancelled'), _('events lost, device removed, or recording paused')],
      [_('Already down when their device was opened'), count('preexisting'), '']);
  }
  if (report.ghostsOutsideSessions !== null) {
    notes.push([_('Suspected ghosts outside sessions'), report.ghostsOutsideSessions, _('counted per device, on no map')]);
  }
  if (notes.length) {
    const caption = hasBooks ? _('Not part of the totals') : _('Not on the maps');
    section.append(folded(caption, () => table(caption, [{title: ''}, {title: '', isNumber: true}, {title: ''}],
      notes.map(([name, value, why]) => [name, whole.format(value), element('span', {class: 'quiet', text: why})]),
      {class: 'wide headless'})));
  }
  return section;
}
