package io.gpusched.server.alert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.TenantId;
import io.gpusched.server.config.AlertName;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

final class AlertBookTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final Map<AlertName, Duration> HOLD =
            Map.of(AlertName.HOT_GPUS, Duration.ofMinutes(1));
    private static final Duration RESOLVE = Duration.ofMinutes(2);

    @TempDir Path dataDir;

    private final AlertBook book = new AlertBook(HOLD, RESOLVE, AlertBook.Image.EMPTY);

    private static Finding finding(String node, Finding.Level level, Severity severity) {
        var subject = AlertSubject.of(new NodeId(node));
        return new Finding(subject, level, severity, 3, 1, "message", "remedy");
    }

    private static Finding exceeded(String node) {
        return finding(node, Finding.Level.EXCEEDED, Severity.WARNING);
    }

    private List<Alert> at(long seconds, Finding... findings) {
        return update(book, seconds, List.of(findings));
    }

    private static List<Alert> update(AlertBook book, long seconds, List<Finding> findings) {
        return book.update(START.plusSeconds(seconds), Map.of(AlertName.HOT_GPUS, findings));
    }

    @Test
    void anAlertFiresOnceTheConditionHasHeldLongEnough() {
        assertThat(at(0, exceeded("n1"))).isEmpty();
        assertThat(at(59, exceeded("n1"))).isEmpty();
        List<Alert> fired = at(60, exceeded("n1"));
        assertThat(fired).hasSize(1);
        assertThat(fired.getFirst().since()).isEqualTo(START);
        assertThat(fired.getFirst().id()).isEqualTo("alert-1");
        assertThat(at(70, exceeded("n1"))).isEmpty();
        assertThat(book.all()).hasSize(1);
    }

    @Test
    void aConditionThatClearsBeforeThatBeginsAgain() {
        at(0, exceeded("n1"));
        at(30);
        at(40, exceeded("n1"));
        assertThat(at(70, exceeded("n1"))).isEmpty();
        assertThat(at(100, exceeded("n1"))).hasSize(1);
    }

    @Test
    void aValueNearTheThresholdKeepsAnAlertAndBeginsNone() {
        Finding near = finding("n1", Finding.Level.NEAR, Severity.WARNING);
        at(0, near);
        assertThat(at(100, near)).isEmpty();
        at(200, exceeded("n1"));
        assertThat(at(260, exceeded("n1"))).hasSize(1);
        assertThat(at(500, near)).isEmpty();
        assertThat(book.all().getFirst().isFiring()).isTrue();
    }

    @Test
    void anAlertIsResolvedWhenItHasBeenClearLongEnough() {
        at(0, exceeded("n1"));
        at(60, exceeded("n1"));
        assertThat(at(100)).isEmpty();
        at(150, exceeded("n1"));
        assertThat(at(160)).isEmpty();
        assertThat(at(279)).isEmpty();
        List<Alert> resolved = at(280);
        assertThat(resolved).extracting(Alert::state).containsExactly("resolved");
        assertThat(resolved.getFirst().resolvedAt()).isEqualTo(START.plusSeconds(280));
        assertThat(at(300)).isEmpty();
        assertThat(book.all()).isEqualTo(resolved);
    }

    @Test
    void anAlertThatBecomesMoreSevereIsPublishedAgain() {
        at(0, exceeded("n1"));
        at(60, exceeded("n1"));
        List<Alert> changed = at(70, finding("n1", Finding.Level.EXCEEDED, Severity.CRITICAL));
        assertThat(changed).extracting(Alert::severity).containsExactly(Severity.CRITICAL);
        assertThat(changed.getFirst().number()).isEqualTo(1);
        assertThat(at(80, exceeded("n1"))).isEmpty();
    }

    @Test
    void anotherWorstJobOfATenantIsTheSameAlert() {
        var first = AlertSubject.of(new TenantId("a"), new JobId(1));
        var second = AlertSubject.of(new TenantId("a"), new JobId(2));
        assertThat(first.key()).isEqualTo(second.key());
    }

    @Test
    void alertsAreBoundedInNumber() {
        var many = new ArrayList<Finding>();
        for (int i = 0; i < AlertBook.MOST_FIRING + 50; i++) {
            many.add(exceeded("n" + i));
        }
        update(book, 0, many);
        assertThat(update(book, 60, many)).hasSize(AlertBook.MOST_FIRING);
        assertThat(book.suppressed()).isEqualTo(50);
        for (int round = 1; round < 5; round++) {
            update(book, round * 1000L, List.of());
            update(book, round * 1000L + 200, List.of());
            update(book, round * 1000L + 300, many);
            update(book, round * 1000L + 400, many);
        }
        assertThat(book.all()).hasSize(AlertBook.MOST_FIRING + AlertBook.MOST_RESOLVED);
    }

    @Test
    void theBoundHoldsInWhateverOrderSubjectsAreFound() {
        long seed = 20260101;
        System.out.println("seed " + seed);
        var random = new Random(seed);
        var many = new ArrayList<Finding>();
        for (int i = 0; i < 3 * AlertBook.MOST_FIRING; i++) {
            many.add(exceeded("n" + i));
        }
        Set<String> fired = Set.of();
        for (int round = 0; round < 20; round++) {
            Collections.shuffle(many, random);
            update(book, round * 60L, many);
            Set<String> firing =
                    book.all().stream()
                            .map(Alert::id)
                            .collect(Collectors.toCollection(TreeSet::new));
            assertThat(firing).hasSize(round == 0 ? 0 : AlertBook.MOST_FIRING);
            if (round > 1) {
                assertThat(firing).isEqualTo(fired);
            }
            assertThat(book.suppressed()).isEqualTo(2 * AlertBook.MOST_FIRING);
            fired = firing;
        }
    }

    @Test
    void valuesNearTheThresholdTakeNoPlace() {
        var findings = new ArrayList<Finding>();
        for (int i = 0; i < 2 * AlertBook.MOST_FIRING; i++) {
            findings.add(finding("near" + i, Finding.Level.NEAR, Severity.WARNING));
        }
        findings.add(exceeded("n1"));
        update(book, 0, findings);
        assertThat(update(book, 60, findings)).hasSize(1);
        assertThat(book.suppressed()).isZero();
    }

    @Test
    void aSilenceAppliesToTheNextAlertAboutTheSameSubjectToo() {
        at(0, exceeded("n1"));
        at(60, exceeded("n1"));
        var silence = new Alert.Silence(START.plusSeconds(1000), "admin", "fans ordered");
        assertThat(book.silence("alert-1", silence)).isNotNull();
        assertThat(book.silence("alert-9", silence)).isNull();
        at(100);
        at(220);
        at(300, exceeded("n1"), exceeded("n2"));
        List<Alert> fired = at(360, exceeded("n1"), exceeded("n2"));
        assertThat(fired)
                .extracting(alert -> alert.isSilencedAt(START.plusSeconds(360)))
                .containsExactly(true, false);
        Alert ended = Objects.requireNonNull(book.silence("alert-2", null));
        assertThat(ended.silence()).isNull();
    }

    @Test
    void aRestartContinuesFromTheFile() {
        at(0, exceeded("n1"), exceeded("n2"));
        at(60, exceeded("n1"), exceeded("n2"));
        at(70, exceeded("n2"));
        at(200, exceeded("n2"));
        book.silence("alert-2", new Alert.Silence(START.plusSeconds(900), "admin", "known"));
        var file = new AlertFile(dataDir);
        file.write(book.image());

        AlertBook.Image read = file.read(0);
        assertThat(read).isEqualTo(book.image());
        var next = new AlertBook(HOLD, RESOLVE, read);
        assertThat(update(next, 300, List.of(exceeded("n2")))).isEmpty();
        assertThat(next.all()).isEqualTo(book.all());
        update(next, 310, List.of(exceeded("n3")));
        assertThat(update(next, 430, List.of(exceeded("n3"))))
                .extracting(Alert::id, Alert::state)
                .containsExactly(tuple("alert-3", "firing"), tuple("alert-2", "resolved"));
    }

    @Test
    void alertsAreReadByTheirOwnerOnlyAlsoAfterAnInterruptedWrite() throws Exception {
        Path left = Files.writeString(dataDir.resolve("alerts.json.next"), "{");
        Files.setPosixFilePermissions(left, PosixFilePermissions.fromString("rw-r--r--"));
        new AlertFile(dataDir).write(AlertBook.Image.EMPTY);
        Path file = dataDir.resolve("alerts.json");
        assertThat(Files.getPosixFilePermissions(file))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
        assertThat(left).doesNotExist();
    }

    @Test
    void withoutItsFileNoNumberIsUsedAgain() throws Exception {
        var nothing = new AlertBook.Image(1000, List.of(), List.of());
        assertThat(new AlertFile(dataDir).read(1000)).isEqualTo(nothing);
        Files.writeString(
                dataDir.resolve("alerts.json"), "{\"version\":1,\"firing\":[{\"name\":\"?\"}]}");
        assertThat(new AlertFile(dataDir).read(1000)).isEqualTo(nothing);
        Files.writeString(dataDir.resolve("alerts.json"), "not json");
        assertThat(new AlertFile(dataDir).read(1000)).isEqualTo(nothing);
    }
}
