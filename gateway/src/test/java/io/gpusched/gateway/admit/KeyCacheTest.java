package io.gpusched.gateway.admit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

final class KeyCacheTest {
    private static final KeyOwner ACME = new KeyOwner.Known("acme", false);
    private static final KeyOwner UNKNOWN = new KeyOwner.Unknown();
    private static final KeyOwner UNREACHABLE = new KeyOwner.Unreachable();

    /// Questions that the scheduler has not answered.
    private final Map<String, Consumer<KeyOwner>> questions = new LinkedHashMap<>();

    private final List<KeyOwner> found = new ArrayList<>();
    private long now = Duration.ofDays(1).toNanos();
    private final KeyCache keys = new KeyCache(questions::put, () -> now);

    private void after(Duration time) {
        now += time.toNanos();
    }

    private void find(String key) {
        keys.find(key, found::add);
    }

    private void answer(String key, KeyOwner owner) {
        Objects.requireNonNull(questions.remove(key), "nobody asked for " + key).accept(owner);
    }

    private void know(String key) {
        find(key);
        answer(key, ACME);
        found.clear();
    }

    @Test
    void aKeyIsAskedForOnceByAllWhoWait() {
        find("k");
        find("k");
        assertThat(found).isEmpty();
        assertThat(questions).hasSize(1);

        answer("k", ACME);
        find("k");

        assertThat(found).containsExactly(ACME, ACME, ACME);
        assertThat(questions).isEmpty();
    }

    @Test
    void aKnownKeyNeverWaitsForASchedulerThatHangs() {
        know("k");
        for (int minute = 1; minute <= 59; minute++) {
            after(Duration.ofMinutes(1));
            find("k");
        }
        assertThat(found).hasSize(59).containsOnly(ACME);
        assertThat(questions).as("asked once, in the background").hasSize(1);

        after(Duration.ofMinutes(2));
        find("k");
        assertThat(found).as("older than an hour").hasSize(59);
        answer("k", UNREACHABLE);
        assertThat(found.getLast()).isEqualTo(UNREACHABLE);
    }

    @Test
    void aSchedulerThatIsAwayIsNotAskedForEveryRequest() {
        know("k");
        after(Duration.ofSeconds(20));
        find("k");
        answer("k", UNREACHABLE);
        find("k");
        assertThat(questions).isEmpty();

        after(Duration.ofSeconds(2));
        find("k");
        answer("k", ACME);

        after(Duration.ofMinutes(59));
        find("k");
        assertThat(found).hasSize(4).containsOnly(ACME);
    }

    @Test
    void aKeyThatWasTakenBackIsDeniedAfterTheAnswer() {
        know("k");
        after(Duration.ofSeconds(19));
        find("k");
        assertThat(questions).isEmpty();
        after(Duration.ofSeconds(1));
        find("k");
        answer("k", UNKNOWN);
        find("k");
        assertThat(found).containsExactly(ACME, ACME, UNKNOWN);
    }

    @Test
    void aDeniedKeyIsAskedForAgainAfterFiveSeconds() {
        find("k");
        answer("k", UNKNOWN);
        after(Duration.ofSeconds(5));
        find("k");
        assertThat(questions).isEmpty();
        after(Duration.ofMillis(1));
        find("k");
        answer("k", ACME);
        assertThat(found).containsExactly(UNKNOWN, UNKNOWN, ACME);
    }

    @Test
    void inventedKeysPushNoGoodOneOut() {
        know("k");
        for (int i = 0; i < 20_000; i++) {
            find("invented-" + i);
            answer("invented-" + i, UNKNOWN);
        }
        found.clear();
        find("k");
        assertThat(found).containsExactly(ACME);
    }

    @Test
    void inventedKeysLeaveQuestionsForKnownOnes() {
        know("k");
        for (int i = 0; i < 1_000; i++) {
            find("invented-" + i);
        }
        assertThat(questions).hasSizeLessThan(256);
        assertThat(found).contains(UNREACHABLE);

        after(Duration.ofSeconds(20));
        find("k");
        assertThat(questions).containsKey("k");
    }

    @Test
    void aKeyLongerThanAnyTokenIsUnknown() {
        find("x".repeat(5_000));
        assertThat(found).containsExactly(UNKNOWN);
        assertThat(questions).isEmpty();
    }

    @Test
    void aWaiterThatFailsDoesNotStopTheOthers() {
        keys.find(
                "k",
                _ -> {
                    throw new IllegalStateException("on purpose");
                });
        find("k");
        answer("k", ACME);
        assertThat(found).containsExactly(ACME);
    }
}
