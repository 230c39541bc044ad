/** Numbers, money and times as the page writes them. */
const whole = new Intl.NumberFormat("en-US");
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const dayAndYear = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });
const clockTime = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const shortClock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const fullTime = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });

export type Time = string | number;
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** 21,480 */
export const count = (value: number): string => whole.format(value);

/** Limits are round: 32k, 1M. */
export function limitText(value: number): string {
  if (value >= 1_000_000 && value % 100_000 === 0) return `${value / 1_000_000}M`;
  return value >= 1000 && value % 500 === 0 ? `${value / 1000}k` : count(value);
}

/** 67 %, and 4.2 % where a digit more says something. */
export function percent(share: number): string {
  const value = share * 100;
  return `${value > 0 && value < 9.95 ? value.toFixed(1) : Math.round(value)} %`;
}

/** $14.20; fractions of a cent where there is no more. */
export function money(dollars: number): string {
  if (dollars > 0 && dollars < 0.01) return `$${dollars.toFixed(4)}`;
  return `$${dollars.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
}

const plural = (value: number, unit: string, ending = "s") => `${count(value)} ${unit}${value === 1 ? "" : ending}`;

/** 1 item, 2 items. */
export const counted = plural;

/** 09:22:52 */
export const clock = (time: Time): string => clockTime.format(new Date(time));
/** 09:22 */
export const minutes = (time: Time): string => shortClock.format(new Date(time));
/** 19 Nov 2026, 09:22:52 */
export const moment = (time: Time): string => fullTime.format(new Date(time));

/** now, 12 s ago, 6 min ago, 2 h ago, Yesterday, 14 Nov. */
export function ago(time: Time, now = Date.now()): string {
  const then = new Date(time);
  const age = now - then.getTime();
  if (age < 5 * SECOND) return "now";
  if (age < MINUTE) return `${Math.floor(age / SECOND)} s ago`;
  if (age < HOUR) return `${Math.floor(age / MINUTE)} min ago`;
  const today = new Date(now);
  if (then.toDateString() === today.toDateString()) return `${Math.floor(age / HOUR)} h ago`;
  if (then.toDateString() === new Date(now - DAY).toDateString()) return "Yesterday";
  return (then.getFullYear() === today.getFullYear() ? day : dayAndYear).format(then);
}

/** The age of an item in its list: 40 s, 9 m, 5 h, 3 d. */
export function age(from: Time, to: Time): string {
  const passed = Math.max(0, new Date(to).getTime() - new Date(from).getTime());
  if (passed < MINUTE) return `${Math.floor(passed / SECOND)} s`;
  if (passed < HOUR) return `${Math.floor(passed / MINUTE)} m`;
  if (passed < 2 * DAY) return `${Math.floor(passed / HOUR)} h`;
  return `${count(Math.floor(passed / DAY))} d`;
}

/** #8f2c: the last four digits tell sessions apart; the first ones are the time. */
export const shortId = (id: string): string => `#${id.slice(-4)}`;
