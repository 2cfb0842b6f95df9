// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.option;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Sizes and durations as people and machines write them: a plain number of bytes or microseconds, {@code "128 MiB"},
 * {@code "7 days"}, {@code "1h 30min"} (Iggy topic options). Results are unsigned 64-bit numbers; what does not fit, or is not a whole
 * number of bytes or microseconds, is no value at all.
 */
public final class Quantities {
    private static final BigInteger U64_END = BigInteger.ONE.shiftLeft(64);
    private static final int TEXT_MAX_CHARS = 64;
    private static final Pattern SIZE = Pattern.compile("([0-9]{1,20}(?:\\.[0-9]{1,12})?) ?([A-Za-z]{0,3})");
    private static final Pattern SPAN = Pattern.compile("([0-9]{1,20}) ?([A-Za-z]{1,7}) ?");
    private static final Map<String, Long> SIZE_UNITS = Map.ofEntries(
            Map.entry("", 1L),
            Map.entry("b", 1L),
            Map.entry("kb", 1_000L),
            Map.entry("mb", 1_000_000L),
            Map.entry("gb", 1_000_000_000L),
            Map.entry("tb", 1_000_000_000_000L),
            Map.entry("pb", 1_000_000_000_000_000L),
            Map.entry("kib", 1L << 10),
            Map.entry("mib", 1L << 20),
            Map.entry("gib", 1L << 30),
            Map.entry("tib", 1L << 40),
            Map.entry("pib", 1L << 50));
    private static final long SECOND_MICROS = 1_000_000;
    private static final long DAY_MICROS = 86_400 * SECOND_MICROS;
    /** A month is a twelfth of a year of 365.25 days, as in the notation that Iggy's clients use. */
    private static final long YEAR_MICROS = 31_557_600 * SECOND_MICROS;

    private Quantities() {}

    /** Bytes, or nothing when the text is no size. */
    static Optional<Long> bytes(String text) {
        Matcher m = SIZE.matcher(text);
        if (text.length() > TEXT_MAX_CHARS || !m.matches()) {
            return Optional.empty();
        }
        Long unit = SIZE_UNITS.get(m.group(2).toLowerCase(Locale.ROOT));
        if (unit == null) {
            return Optional.empty();
        }
        BigDecimal bytes = new BigDecimal(m.group(1)).multiply(BigDecimal.valueOf(unit));
        return bytes.stripTrailingZeros().scale() > 0 ? Optional.empty() : unsigned(bytes.toBigInteger());
    }

    /** Microseconds, or nothing when the text is no duration. */
    public static Optional<Long> micros(String text) {
        if (text.isEmpty() || text.length() > TEXT_MAX_CHARS) {
            return Optional.empty();
        }
        Optional<Long> plain = number(text);
        if (plain.isPresent()) {
            return plain;
        }
        BigInteger total = BigInteger.ZERO;
        Matcher m = SPAN.matcher(text);
        int from = 0;
        while (from < text.length()) {
            if (!m.find(from) || m.start() != from) {
                return Optional.empty();
            }
            long unit = unitMicros(m.group(2));
            if (unit == 0) {
                return Optional.empty();
            }
            total = total.add(new BigInteger(m.group(1)).multiply(BigInteger.valueOf(unit)));
            from = m.end();
        }
        return unsigned(total);
    }

    /** A plain number, or nothing when the text is none. */
    static Optional<Long> number(String text) {
        return !text.isEmpty()
                        && text.length() <= TEXT_MAX_CHARS
                        && text.chars().allMatch(c -> c >= '0' && c <= '9')
                ? unsigned(new BigInteger(text))
                : Optional.empty();
    }

    /** Single letters tell minutes from months by their case; words do not care. */
    private static long unitMicros(String unit) {
        if (unit.equals("M")) {
            return YEAR_MICROS / 12;
        }
        return switch (unit.toLowerCase(Locale.ROOT)) {
            case "us", "usec", "micros" -> 1;
            case "ms", "msec", "millis" -> 1_000;
            case "s", "sec", "secs", "second", "seconds" -> SECOND_MICROS;
            case "m", "min", "mins", "minute", "minutes" -> 60 * SECOND_MICROS;
            case "h", "hr", "hrs", "hour", "hours" -> 3_600 * SECOND_MICROS;
            case "d", "day", "days" -> DAY_MICROS;
            case "w", "week", "weeks" -> 7 * DAY_MICROS;
            case "month", "months" -> YEAR_MICROS / 12;
            case "y", "year", "years" -> YEAR_MICROS;
            default -> 0;
        };
    }

    private static Optional<Long> unsigned(BigInteger value) {
        return value.compareTo(U64_END) < 0 ? Optional.of(value.longValue()) : Optional.empty();
    }
}
