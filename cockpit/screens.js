// The report about the recorded data, with the numbers of `touchgrid report`.

import {touchgrid} from './command.js';
import {element} from './report/elements.js';
import {showReport} from './report/report.js';
import {dayBefore} from './spans.js';
import {_, filled, pf} from './text.js';
import {alert, announce, button} from './widgets.js';

/** The spans to choose from, in whole days of the kiosk's calendar; '' is all time. */
const periods = [['1', _('Today')], ['7', _('Last 7 days')], ['30', _('Last 30 days')], ['90', _('Last 90 days')],
  ['', _('All time')], ['other', _('Other dates')]];

export class Screens {
  constructor(daemon) {
    this.daemon = daemon;
    this.page = element('div', {class: 'touchgrid-report'});
    this.notice = element('div', {class: 'notices'});
    this.progress = element('p', {class: 'progress', role: 'status'});
    this.period = this.choice('period', _('Sessions that began'), periods, '30');
    this.since = this.field('since', _('From'), 'date');
    this.until = this.field('until', _('To'), 'date');
    this.weekdays = this.field('weekdays', _('Weekdays'), 'text', _('such as mon-fri'));
    this.hours = this.field('hours', _('Hours'), 'text', _('such as 8-12'));
    this.tag = this.field('tag', _('Tag'), 'text', _('such as build=42'));
    this.period.input.addEventListener('change', () => this.showDates());
    this.submit = element('button', {type: 'submit', class: pf('button', 'primary'), text: _('Show')});
    this.save = button(_('Save as a file'), 'secondary', () => this.download(), {'data-action': 'save'});
    this.element = element('section', {class: 'screens', 'aria-label': _('Report')},
      element('form', {class: 'filters', onsubmit: (event) => { event.preventDefault(); this.load(); }},
        ...[this.period, this.since, this.until, this.weekdays, this.hours, this.tag].map(({label}) => label),
        element('div', {class: 'filters-end'}, this.submit, this.save, this.progress)),
      this.notice, this.page);
    this.showDates();
  }

  choice(id, text, options, chosen) {
    const input = element('select', {id, class: pf('form-control')},
      ...options.map(([value, title]) => element('option', {value, text: title, selected: value === chosen})));
    return {input, label: element('label', {class: 'filter'}, element('span', {text}), input)};
  }

  field(id, text, type, placeholder = null) {
    const input = element('input', {id, type, placeholder, class: pf('form-control')});
    return {input, label: element('label', {class: 'filter'}, element('span', {text}), input)};
  }

  showDates() {
    const isOther = this.period.input.value === 'other';
    for (const {label} of [this.since, this.until]) label.hidden = !isOther;
  }

  show() { if (!this.isLoaded && this.daemon.state === 'connected') this.load(); }

  hide() {}

  refresh() {}

  /** Returns the options of `touchgrid report` for the values in the form. */
  async options() {
    const period = this.period.input.value, isOther = period === 'other';
    const given = {since: isOther ? this.since.input.value : period && await dayBefore(period - 1), until: isOther ? this.until.input.value : '',
      weekdays: this.weekdays.input.value.trim(), hours: this.hours.input.value.trim(), tag: this.tag.input.value.trim()};
    return Object.entries(given).filter(([, value]) => value).map(([name, value]) => `--${name}=${value}`);
  }

  async load() {
    if (this.isBusy) return;
    await this.working(_('Adding up…'), async () => {
      const text = await touchgrid(['report', '--json', ...await this.options()], {socket: this.daemon.socket});
      const data = JSON.parse(text);
      showReport(data, this.page);
      this.isLoaded = true;
      const at = filled(_('As of $0'), data.made.text);
      this.progress.textContent = at;
      announce(at);
    });
  }

  /** Saves the report as one file that works offline. */
  async download() {
    if (this.isBusy) return;
    await this.working(_('Writing the report…'), async () => {
      const bytes = await touchgrid(['report', '--output=-', ...await this.options()],
        {isBinary: true, socket: this.daemon.socket});
      const url = URL.createObjectURL(new Blob([bytes], {type: 'text/html'}));
      element('a', {href: url, download: `touchgrid-${await dayBefore(0)}.html`}).click();
      setTimeout(() => URL.revokeObjectURL(url), 60_000);
      this.progress.textContent = _('Saved');
    });
  }

  async working(text, work) {
    this.isBusy = true;
    this.progress.textContent = text;
    for (const each of [this.submit, this.save]) each.disabled = true;
    this.notice.replaceChildren();
    try {
      await work();
    } catch (error) {
      this.progress.textContent = '';
      this.notice.replaceChildren(alert('danger', _('There is no report.'), error.message));
    } finally {
      this.isBusy = false;
      for (const each of [this.submit, this.save]) each.disabled = false;
    }
  }
}
