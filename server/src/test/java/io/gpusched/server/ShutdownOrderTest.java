package io.gpusched.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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

    @Test
    void aStartThatFailsClosesWhatItMade() {
        for (Throwable failure :
                List.of(new IllegalStateException("no port"), new NoClassDefFoundError("Plugin"))) {
            closed.clear();

            assertThatThrownBy(() -> shutdown.closeOnFailure(() -> failingStart(failure)))
                    .isSameAs(failure);

            assertThat(closed).as("%s", failure).containsExactly("ports", "journal");
        }
    }

    @Test
    void aStartThatSucceedsClosesNothing() {
        String made =
                shutdown.closeOnFailure(
                        () -> {
                            shutdown.add(() -> closed.add("journal"));
                            return "server";
                        });

        assertThat(made).isEqualTo("server");
        assertThat(closed).isEmpty();
    }

    private String failingStart(Throwable failure) {
        shutdown.add(() -> closed.add("journal"));
        shutdown.add(() -> closed.add("ports"));
        if (failure instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) failure;
    }
}
