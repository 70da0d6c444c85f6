package io.gpusched.conventions;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;

/// Every source is formatted as `bin/format` formats it. The formatter runs here and not in a
/// Maven plug-in, because tests run on JDK 25 and Maven itself may run on an older one.
final class FormatTest {
    @Test
    void everySourceIsFormatted() throws Exception {
        var checkout = Checkout.here();
        var unformatted = new ArrayList<Path>();
        for (Path file : checkout.java()) {
            String text = Files.readString(checkout.root().resolve(file));
            if (!Format.formatted(text).equals(text)) {
                unformatted.add(file);
            }
        }
        assertThat(unformatted).as("not formatted: run bin/format").isEmpty();
    }
}
