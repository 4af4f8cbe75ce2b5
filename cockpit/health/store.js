// The store: its size, its state, and the retention of sessions.

import {element} from '../report/elements.js';
import {duration, whole} from '../report/numbers.js';
import {_, filled, plural} from '../text.js';
import {alert, card, pairs, printable} from '../widgets.js';

const {cockpit} = window;
/** The configuration, if it is not the daemon's standard one. */
const {configuration} = cockpit.manifests?.touchgrid?.config ?? {};

export class StoreCard {
  constructor(daemon) {
    this.daemon = daemon;
    this.notices = element('div', {class: 'notices'});
    this.facts = element('div');
    this.kept = element('div', {class: 'quiet kept'});
    this.element = card(_('Store'), this.notices, this.facts, this.kept);
  }

  async refresh() {
    const [status, days] = await Promise.all([this.daemon.call('GetStatus'), this.daemon.callMore('ListDays')]);
    const all = days.flatMap((reply) => reply.days), {store} = status;
    const sessions = all.reduce((sum, day) => sum + day.sessions, 0);
    this.notices.replaceChildren(...warnings(status).map(([kind, title, text]) => alert(kind, title, text)));
    this.facts.replaceChildren(pairs([_('File'), store.path], [_('Size'), cockpit.format_bytes(store.bytes)],
      [_('Sessions'), whole.format(sessions)],
      [_('Days'), all.length ? filled(_('$0, since $1'), whole.format(all.length), all[0].day) : '0'],
      [_('Running session'), status.session ? filled(_('number $0'), status.session.id) : _('none')],
      [_('Version'), status.version], [_('Runs for'), duration(status.uptimeMs)]));
    await this.showRetention();
  }

  /** Shows the retention, in the words of `touchgridd --check`. */
  async showRetention() {
    const text = await cockpit.spawn(['touchgridd', '--check', ...configuration ? ['--config', configuration] : []], {err: 'ignore'}).catch(() => '');
    const section = text.split(/^(?=\S)/m).find((part) => part.startsWith('Store')) ?? '';
    const sentences = section.split('\n').slice(1).join('\n').split(/\n {2}(?! )/).map((line) => line.replace(/\s+/g, ' ').trim());
    // The daemon may not have loaded the file yet.
    this.kept.replaceChildren(...sentences.some((line) => line) ? [element('h3', {text: _('In the configuration')})] : [], ...sentences.filter((line) => line).map((line) => element('p', {text: printable(line)})));
  }
}

/** Returns the warnings for the owner, as `[kind, title, text]`. */
function warnings({store, masksEverything, widenedMasks, restartNeededFor, grids}) {
  const list = [];
  if (store.error) {
    list.push(['danger', _('The store cannot be written.'), `${printable(store.error)}\n`
      + _('What is recorded waits in memory. Make room on the disk, or mend what is named here; nothing else is needed.')]);
  }
  if (store.busyForMs > 5000) {
    list.push(['danger', _('The disk does not answer.'), filled(_('The last write has taken $0. Look at the '
      + 'disk: dmesg shows its errors.'), duration(store.busyForMs))]);
  }
  if (store.givenUp) {
    list.push(['danger', _('Sessions were lost.'), plural('Neither the disk nor the memory had room for $0 session.',
      'Neither the disk nor the memory had room for $0 sessions.', store.givenUp)]);
  }
  if (store.movedAside) {
    list.push(['warning', _('The store was damaged, and moved aside.'),
      filled(_('"touchgrid store recover" reads what is left in $0.'), printable(store.movedAside))]);
  }
  if (store.waitingBytes) {
    list.push(['warning', _('Sessions wait to be written.'), filled(_('$0 are in memory. They are written when the store can be '
      + 'written again.'), cockpit.format_bytes(store.waitingBytes))]);
  }
  if (grids.isFull) list.push(['warning', _('The memory for grids is full.'), _('Some touches are counted on the screen "other". '
    + 'Let the app use fewer names for its screens.')]);
  if (masksEverything) {
    list.push(['warning', _('Every touch is masked.'), _('There is no configuration yet. Draw masks, and begin to record.')]);
  }
  if (widenedMasks) {
    list.push(['warning', plural('$0 mask covers a whole screen.', '$0 masks cover whole screens.', widenedMasks),
      _('The size of a display is a guess. Give it in [[display]] of the configuration.')]);
  }
  if (restartNeededFor?.length) {
    list.push(['info', _('A restart is needed.'), filled(_('These keys of the configuration have changed: $0.'),
      printable(restartNeededFor.join(', ')))]);
  }
  return list;
}
