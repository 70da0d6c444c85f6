package io.gpusched.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.store.Database;
import io.gpusched.store.JournalReader;
import io.gpusched.store.SqlJournal;
import io.gpusched.store.StoreHealth;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// Command lines that start no scheduler: what they print, and their exit codes.
@Timeout(60)
final class LaunchTest {
    private static final PrintStream OUT = System.out;
    private static final PrintStream ERR = System.err;

    @TempDir Path folder;

    private int afterwards;

    @AfterEach
    void giveBack() {
        System.setOut(OUT);
        System.setErr(ERR);
    }

    private record Ended(int code, String out, String err) {}

    private Ended launch(Object... words) {
        return launch(Map.of(), words);
    }

    private Ended launch(Map<String, String> environment, Object... words) {
        var out = new ByteArrayOutputStream();
        var err = new ByteArrayOutputStream();
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
        int code =
                Launch.run(
                        List.of(words).stream().map(Object::toString).toList(),
                        environment,
                        server -> {
                            throw new AssertionError("a scheduler was started");
                        },
                        () -> afterwards++);
        giveBack();
        return new Ended(
                code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    @Test
    void aCheckFindsPortsThatMeetAndMissingCertificates() throws IOException {
        Path ports = Files.writeString(folder.resolve("p.yaml"), "api:\n  http_port: 9090\n");
        Ended met = launch("--check-config", "--config", ports);
        assertThat(met.code()).isEqualTo(2);
        assertThat(met.err()).contains("api.grpc_port (by default): 9090 is api.http_port too");

        Path missing = folder.resolve("cert.pem");
        Path file =
                Files.writeString(
                        folder.resolve("t.yaml"),
                        "api:\n  enable_tls: true\n  tls_cert_file: %s\n  tls_key_file: %s\n"
                                .formatted(missing, missing));
        Ended ended = launch("--check-config", "--config", file);
        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.err()).contains("api.tls_cert_file", "there is no file " + missing);
    }

    @Test
    void backupsInAFolderAreRotated() throws IOException {
        Path data = folder.resolve("data");
        SqlJournal.open(new Database.Sqlite(data), StoreHealth.UNHEARD).close();
        Path backups = Files.createDirectory(folder.resolve("backups"));
        Path old = Files.createFile(backups.resolve("journal-20200101T000000Z.db"));

        Ended ended = launch("--data-dir", data, "--backup", backups, "--keep", 1);
        assertThat(ended.code()).as(ended.err()).isZero();
        assertThat(ended.out())
                .contains("copied the journal up to batch 0 to " + backups, "deleted " + old);
        assertThat(backups.toFile().list()).hasSize(1).doesNotContain(old.toFile().getName());

        assertThat(launch("--keep", 3).err()).contains("expected --backup DIR beside it");
        assertThat(launch("--backup", backups, "--keep", "few").err())
                .contains("expected a number of 1 or more");
    }

    @Test
    void aBackupIntoAMissingDirectoryHasOneExitCode() {
        Path data = folder.resolve("data");
        SqlJournal.open(new Database.Sqlite(data), StoreHealth.UNHEARD).close();
        Path missing = folder.resolve("missing");

        Ended rotated = launch("--data-dir", data, "--backup", missing, "--keep", 3);
        assertThat(rotated.err())
                .isEqualToIgnoringNewLines(
                        "the backup failed: --keep: expected a directory after --backup, found "
                                + missing
                                + "; create the directory");
        Ended file = launch("--data-dir", data, "--backup", missing.resolve("today.db"));
        assertThat(file.err())
                .isEqualToIgnoringNewLines(
                        "the backup failed: expected a directory at "
                                + missing
                                + " for the backup, found none; create it");
        assertThat(List.of(rotated.code(), file.code())).containsOnly(1);
        assertThat(missing).doesNotExist();
    }

    @Test
    void aLostJournalIsNotReplacedByAnEmptyOne() throws IOException {
        Path data = folder.resolve("data");
        Files.createDirectories(data.resolve("snapshots"));
        Files.createFile(data.resolve("snapshots/000000000000004242-20250101T120000Z.image"));

        Ended ended = launch("--data-dir", data);
        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.err())
                .startsWith("the scheduler cannot start: expected the journal that belongs to the")
                .contains("snapshots in " + data, "--restore FILE", "--new");
        assertThat(data.resolve("journal.db")).doesNotExist();
    }

    @Test
    void aCheckPrintsTheSettingsAndLeavesNothingBehind() throws IOException {
        Path file = Files.writeString(folder.resolve("a.yaml"), "scheduler:\n  policy: srtf\n");
        Path data = folder.resolve("data");

        Ended ended = launch("--check-config", "--config", file, "--data-dir", data);
        assertThat(ended.code()).as(ended.err()).isZero();
        assertThat(ended.out()).contains("scheduler:", "policy: srtf", data.toString());
        assertThat(data).doesNotExist();
        assertThat(afterwards).isEqualTo(1);
    }

    @Test
    void whatACheckPrintsCanBeReadAgain() throws IOException {
        assertReadAgain(launch("--check-config", "--data-dir", folder.resolve("data")));
    }

    /// With lists that need quotes, and without a driver: the host of a server is enough.
    private static final String SHAPED_LIKE_THE_ORIGINAL =
            """
            environment: "staging: #2"
            markets:
              - {label: "tier", value: "1.10", dollars_per_gpu_hour: 2.5}
              - {label: "a: b", value: "x, {y}", dollars_per_gpu_hour: 1}
            scheduler:
              scheduling_interval_ms: 1000
              max_queue_size: 10000
            database:
              host: localhost
              port: 5433
              user: postgres
              password: "gpu123"
              database: gpu_scheduler
              sslmode: disable
              max_open_conns: 25
              max_idle_conns: 5
            redis:
              host: localhost
            api:
              http_port: 8080
              cors_enabled: true
              cors_origins: ["*", "https://a.example", "null"]
              allowed_hosts: ["&gpus", "#1", "yes"]
            """;

    @Test
    void aFileShapedLikeTheOriginalIsPrintedAsItIsInForceAndCanBeReadAgain() throws IOException {
        Path file = Files.writeString(folder.resolve("seed.yaml"), SHAPED_LIKE_THE_ORIGINAL);
        Ended printed = launch("--check-config", "--config", file);
        assertThat(printed.out())
                .contains("  driver: postgres\n", "  # password: (hidden) ")
                .contains("cors_origins: [\"*\", https://a.example, \"null\"] ")
                .doesNotContain("gpu123");
        assertReadAgain(printed);
    }

    @Test
    void whatVariablesSetIsPrintedAsItIsInForceAndCanBeReadAgain() throws IOException {
        Ended postgres =
                launch(
                        Map.of(
                                "GPU_SCHEDULER_DATABASE_PORT", "5433",
                                "GPU_SCHEDULER_API_CORS_ORIGINS", "*, http://b.example:3000",
                                "GPU_SCHEDULER_MARKETS",
                                        "{label: '*', value: x, dollars_per_gpu_hour: 1}"),
                        "--check-config");
        assertThat(postgres.out()).contains("  driver: postgres\n", "  port: 5433 ");
        assertReadAgain(postgres);

        Ended sqlite =
                launch(Map.of("GPU_SCHEDULER_DATABASE_SSLMODE", "require"), "--check-config");
        assertThat(sqlite.out()).contains("  driver: sqlite\n", "  rate_limit_rps: 0\n");
        assertReadAgain(sqlite);
    }

    private void assertReadAgain(Ended printed) throws IOException {
        assertThat(printed.code()).as(printed.err()).isZero();
        Path file = Files.writeString(folder.resolve("printed.yaml"), printed.out());
        Ended again = launch("--check-config", "--config", file);
        assertThat(again.code()).as(again.err()).isZero();
        assertThat(settings(again.out())).isEqualTo(settings(printed.out()));
    }

    /// The settings without the comments that say where each was set.
    private static String settings(String printed) {
        return printed.replaceAll("(?m) +# (line \\d+ of|environment variable|flag).*$", "");
    }

    @Test
    void aWrongFileIsWrongUse() throws IOException {
        Path data = folder.resolve("data");
        Path unknown = Files.writeString(folder.resolve("b.yaml"), "scheduler:\n  polcy: srtf\n");
        Ended ended = launch("--check-config", "--config", unknown, "--data-dir", data);
        assertThat(ended.code()).isEqualTo(2);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.err()).contains("polcy", "policy");

        Path wrong = Files.writeString(folder.resolve("c.yaml"), "scheduler:\n  policy: odd\n");
        assertThat(launch("--check-config", "--config", wrong).code()).isEqualTo(2);
        Path none = folder.resolve("none.yaml");
        assertThat(launch("--check-config", "--config", none).code()).isEqualTo(2);
        assertThat(launch("--nonsense").code()).isEqualTo(2);
        assertThat(data).doesNotExist();
    }

    @Test
    void twoErrandsAtOnceAreRefusedAndNeitherIsRun() {
        Path data = folder.resolve("data");
        Path copy = folder.resolve("copy.db");

        Ended both = launch("--backup", copy, "--restore=" + copy, "--data-dir", data);
        assertThat(both.code()).isEqualTo(2);
        assertThat(both.err()).contains("found --backup and --restore", "one after the other");
        Ended check = launch("--check-config", "--export", copy, "--data-dir", data);
        assertThat(check.code()).isEqualTo(2);
        assertThat(check.out()).isEmpty();
        assertThat(check.err()).contains("found --check-config and --export");
        assertThat(copy).doesNotExist();
        assertThat(data).doesNotExist();
        assertThatThrownBy(() -> Launch.refuseSeveral(List.of("--restore", "x", "--demo")))
                .hasMessageContaining("found --demo and --restore");
    }

    @Test
    void aBackupIsMadeWhileAServerRunsAndRestoredElsewhere() {
        Path data = folder.resolve("data");
        Path copy = folder.resolve("copy.db");
        Path other = folder.resolve("other");
        long head;
        try (var rest = Running.in(data)) {
            rest.submit("{\"name\":\"kept\"}");
            Ended made = launch("--backup", copy, "--data-dir", data);
            head = head(data);
            assertThat(made.code()).as(made.err()).isZero();
            assertThat(made.out()).contains("up to batch " + head, copy.toString());
            rest.submit("{\"name\":\"too late\"}");
        }

        Ended restored = launch("--restore", copy, "--data-dir", other);
        assertThat(restored.code()).as(restored.err()).isZero();
        assertThat(restored.out()).contains("up to batch " + head);
        assertThat(head(other)).isEqualTo(head);
        assertThat(digest(other, head)).isEqualTo(digest(data, head));
        try (var rest = Running.in(other)) {
            var jobs = rest.get("/api/v1/jobs").json();
            assertThat(jobs.get("jobs").findValuesAsText("name")).containsExactly("kept");
        }
    }

    @Test
    void aFailedBackupIsReportedAndOverwritesNothing() throws IOException {
        Path data = folder.resolve("data");
        try (var rest = Running.in(data)) {
            rest.submit("{}");
        }
        Path taken = Files.writeString(folder.resolve("taken"), "mine");

        Ended backup = launch("--backup", taken, "--data-dir", data);
        assertThat(backup.code()).isEqualTo(1);
        assertThat(backup.err())
                .startsWith("the backup failed: ")
                .contains("found one; name another");
        assertThat(taken).hasContent("mine");
        Path copy = folder.resolve("copy.db");
        launch("--backup", copy, "--data-dir", data);
        Ended restore = launch("--restore", copy, "--data-dir", data);
        assertThat(restore.code()).as("the store is not empty").isEqualTo(1);
        assertThat(restore.err()).startsWith("the restore failed: ");
        Ended export = launch("--export", taken, "--data-dir", data);
        assertThat(export.err()).startsWith("the export failed: ");
        assertThat(taken).hasContent("mine");
    }

    private static long head(Path data) {
        try (var reader = JournalReader.open(new Database.Sqlite(data))) {
            return reader.head();
        }
    }

    private static @Nullable Long digest(Path data, long batch) {
        try (var reader = JournalReader.open(new Database.Sqlite(data))) {
            return reader.digest(batch);
        }
    }
}
