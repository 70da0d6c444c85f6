package io.gpusched.wire.pool;

import io.gpusched.core.pool.ScheduledSize;
import io.gpusched.wire.request.JsonTree;
import io.gpusched.wire.request.RequestFields;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads schedules: days and times of the day (UTC) at which a pool has a least size.
///
///     {"days": "mon-fri", "from": "08:00", "to": "18:00", "replicas": 3}
///     {"cron": "0 8 * * 1-5", "to": "18:00", "replicas": 3}
///
/// A schedule without an end lasts until the next one of the list begins on one of its days, or
/// past midnight on the day after, at most a day.
final class ScheduleReader {
    static final List<String> DAYS = List.of("mon", "tue", "wed", "thu", "fri", "sat", "sun");

    private static final int DAY = 1_440;
    private static final int EVERY_DAY = 127;
    private static final Pattern TIME = Pattern.compile("([01]?[0-9]|2[0-4]):([0-5][0-9])");
    private static final Pattern CRON =
            Pattern.compile("([0-5]?[0-9]) ([01]?[0-9]|2[0-3]) \\* \\* (\\S+)");

    private final List<String> warnings;

    ScheduleReader(List<String> warnings) {
        this.warnings = warnings;
    }

    /// @param to the minute of its end; -1 where none is given
    private record Entry(String name, int days, int from, int to, int replicas) {}

    List<ScheduledSize> read(RequestFields scaling, int most) {
        var entries = new ArrayList<Entry>();
        for (RequestFields each : scaling.objects("schedules", most)) {
            Entry entry = entry(each, entries.size());
            warnings.addAll(each.unknown());
            if (entry != null) {
                entries.add(entry);
            }
        }
        return entries.stream().map(entry -> sized(entry, entries)).toList();
    }

    private static @Nullable Entry entry(RequestFields each, int number) {
        String name = each.text("name", "schedule-" + (number + 1), 63);
        int replicas = each.integer("replicas", -1, 0, PoolRequest.MOST_REPLICAS);
        if (!each.has("replicas")) {
            each.problem("replicas", "a schedule needs replicas", "add \"replicas\": 3");
        }
        int to = minute(each, "to", -1);
        if (each.has("cron")) {
            return cron(each, name, to, replicas);
        }
        int from = minute(each, "from", 0);
        int days = days(each);
        return from < 0 || days == 0 || replicas < 0
                ? null
                : new Entry(name, days, from % DAY, to, replicas);
    }

    private static @Nullable Entry cron(RequestFields each, String name, int to, int replicas) {
        String text = each.text("cron", "", 63);
        Matcher parts = CRON.matcher(text.strip().replaceAll("\\s+", " "));
        int days = parts.matches() ? daysOf(parts.group(3), true) : 0;
        if (days == 0) {
            each.problem(
                    "cron",
                    "cron must be a minute, an hour, * * and days of the week, found \"%s\""
                            .formatted(text),
                    "write for example \"0 8 * * 1-5\" for 08:00 UTC from Monday to Friday");
            return null;
        }
        int from = Integer.parseInt(parts.group(2)) * 60 + Integer.parseInt(parts.group(1));
        return replicas < 0 ? null : new Entry(name, days, from, to, replicas);
    }

    private static ScheduledSize sized(Entry entry, List<Entry> all) {
        int minutes = entry.to < 0 ? DAY : Math.floorMod(entry.to - entry.from, DAY);
        if (entry.to < 0) {
            for (Entry other : all) {
                int until = Math.floorMod(other.from - entry.from, DAY);
                boolean passesMidnight = other.from < entry.from;
                int days = passesMidnight ? dayAfter(entry.days) : entry.days;
                if (until > 0 && (other.days & days) != 0) {
                    minutes = Math.min(minutes, until);
                }
            }
        }
        return new ScheduledSize(
                entry.name, entry.days, entry.from, minutes == 0 ? DAY : minutes, entry.replicas);
    }

    private static int dayAfter(int days) {
        return (days << 1 | days >> 6) & EVERY_DAY;
    }

    /// A time of the day in minutes; 24:00 is 1440. A problem and -1 if it is not one.
    static int minute(RequestFields fields, String key, int absent) {
        String text = fields.text(key, "", 16);
        if (!fields.has(key)) {
            return absent;
        }
        int minute = minuteOf(text);
        if (minute < 0) {
            fields.problem(
                    key,
                    "%s must be a time of the day, found \"%s\"".formatted(key, text),
                    "write hours and minutes in UTC, for example \"08:00\"");
        }
        return minute;
    }

    static int minuteOf(String text) {
        Matcher parts = TIME.matcher(text.strip());
        int minute =
                parts.matches()
                        ? Integer.parseInt(parts.group(1)) * 60 + Integer.parseInt(parts.group(2))
                        : -1;
        return minute > DAY ? -1 : minute;
    }

    private static int days(RequestFields each) {
        if (!each.has("days")) {
            return EVERY_DAY;
        }
        int days = 0;
        for (String text : each.textOrTexts("days", 14, 63)) {
            int some = daysOf(text, false);
            if (some == 0) {
                each.problem(
                        "days",
                        "days must be names such as mon or mon-fri, found "
                                + new JsonTree.Text(text).shown(),
                        "write for example \"mon-fri\" or [\"sat\", \"sun\"]");
                return 0;
            }
            days |= some;
        }
        return days == 0 ? EVERY_DAY : days;
    }

    /// Days separated by commas, each a name or a range; 0 if one is not known. In cron, 0 and 7
    /// are Sunday and 1 is Monday.
    private static int daysOf(String text, boolean cron) {
        int days = 0;
        for (String part : text.toLowerCase(Locale.ROOT).split(",", -1)) {
            String word = part.strip();
            if (word.equals("*") || word.equals("daily")) {
                days |= EVERY_DAY;
                continue;
            }
            if (word.equals("weekdays")) {
                word = "mon-fri";
            } else if (word.equals("weekends")) {
                word = "sat-sun";
            }
            String[] ends = word.split("-", -1);
            int first = day(ends[0], cron);
            int last = day(ends[ends.length - 1], cron);
            if (first < 0 || last < 0 || ends.length > 2) {
                return 0;
            }
            for (int day = first; ; day = (day + 1) % 7) {
                days |= 1 << day;
                if (day == last) {
                    break;
                }
            }
        }
        return days;
    }

    private static int day(String word, boolean cron) {
        if (cron && word.matches("[0-7]")) {
            return (Integer.parseInt(word) + 6) % 7;
        }
        return word.length() < 3 ? -1 : DAYS.indexOf(word.substring(0, 3));
    }
}
