package io.gpusched.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

final class ShutdownOrderTest {
    private final ShutdownOrder shutdown = new ShutdownOrder();
    private final List<String> closed = new ArrayList<>();

    @Test
    void partsCloseInTheOppositeOrderAndOnlyOnce() {
        for (String name : List.of("journal", "follower", "ports")) {
            shutdown.add(() -> closed.add(name));
        }
        shutdown.close();
        shutdown.close();
        assertThat(closed).containsExactly("ports", "follower", "journal");
    }

    @Test
    void aPartThatFailsToCloseDoesNotKeepOthersOpen() {
        shutdown.add(() -> closed.add("journal"));
        shutdown.add(
                () -> {
                    throw new IllegalStateException("stuck");
                });
        shutdown.add(() -> closed.add("ports"));
        shutdown.close();
        assertThat(closed).containsExactly("ports", "journal");
    }
}
