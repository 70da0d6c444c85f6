package io.gpusched.operator.webhook;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/// Writes the few values of ASN.1 that a certificate consists of, in their distinguished encoding
/// (X.690). The JDK reads certificates, and has no public way to make one.
final class Der {
    private static final DateTimeFormatter LONG_TIME =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter SHORT_TIME =
            DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final int FIRST_WITH_LONG_TIME = 2050;
    private static final int LONGEST_SHORT = 127;

    private Der() {}

    static byte[] sequence(byte[]... parts) {
        return value(0x30, concat(parts));
    }

    static byte[] set(byte[]... parts) {
        return value(0x31, concat(parts));
    }

    static byte[] integer(BigInteger number) {
        return value(0x02, number.toByteArray());
    }

    static byte[] truth() {
        return value(0x01, new byte[] {(byte) 0xff});
    }

    static byte[] text(String text) {
        return value(0x0c, text.getBytes(StandardCharsets.UTF_8));
    }

    static byte[] octets(byte[] content) {
        return value(0x04, content);
    }

    /// @param unused how many of the last bits do not count
    static byte[] bits(int unused, byte[] content) {
        return value(0x03, concat(new byte[] {(byte) unused}, content));
    }

    /// Until 2049 with two digits of the year, as certificates require it.
    static byte[] time(Instant instant) {
        boolean isLong = instant.atZone(ZoneOffset.UTC).getYear() >= FIRST_WITH_LONG_TIME;
        String text = (isLong ? LONG_TIME : SHORT_TIME).format(instant);
        return value(isLong ? 0x18 : 0x17, text.getBytes(StandardCharsets.US_ASCII));
    }

    /// A value with a number instead of a type, around another value.
    static byte[] around(int number, byte[] content) {
        return value(0xa0 | number, content);
    }

    /// A value with a number instead of a type, in place of its own.
    static byte[] instead(int number, byte[] content) {
        return value(0x80 | number, content);
    }

    /// @param dotted for example `1.2.840.10045.4.3.2`
    static byte[] identifier(String dotted) {
        String[] numbers = dotted.split("\\.");
        var out = new ByteArrayOutputStream();
        out.write(Integer.parseInt(numbers[0]) * 40 + Integer.parseInt(numbers[1]));
        for (int i = 2; i < numbers.length; i++) {
            int number = Integer.parseInt(numbers[i]);
            for (int shift = 28; shift > 0; shift -= 7) {
                if (number >> shift != 0) {
                    out.write(0x80 | number >> shift & 0x7f);
                }
            }
            out.write(number & 0x7f);
        }
        return value(0x06, out.toByteArray());
    }

    private static byte[] value(int tag, byte[] content) {
        var out = new ByteArrayOutputStream();
        out.write(tag);
        if (content.length <= LONGEST_SHORT) {
            out.write(content.length);
        } else {
            byte[] length = BigInteger.valueOf(content.length).toByteArray();
            int sign = length[0] == 0 ? 1 : 0;
            out.write(0x80 | length.length - sign);
            out.write(length, sign, length.length - sign);
        }
        out.writeBytes(content);
        return out.toByteArray();
    }

    static byte[] concat(byte[]... parts) {
        var out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}
