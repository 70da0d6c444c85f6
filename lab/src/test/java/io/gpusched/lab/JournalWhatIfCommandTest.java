package io.gpusched.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;

import io.gpusched.core.event.Batch;
import io.gpusched.store.Database;
import io.gpusched.store.JournalFile;
import io.gpusched.store.SqlJournal;
import io.gpusched.store.StoreHealth;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

final class JournalWhatIfCommandTest {
    private static final String SCENARIO = "../scenarios/preemption-with-grace.yaml";

    @TempDir Path folder;

    private String journal() {
        Path file = folder.resolve("day.jsonl.gz");
        assertThat(Ran.lab("simulate", SCENARIO, "--journal", file.toString()).code()).isZero();
        return file.toString();
    }

    @Test
    void theSameRulesComeToTheSame() {
        Ran ran = Ran.lab("what-if", "--journal", journal());
        assertThat(ran.code()).isZero();
        assertThat(ran.out()).contains("divergences   0: every decision");
    }

    @Test
    void thePolicyThatWasInForceComesToTheSame() throws IOException {
        Ran ran = Ran.lab("what-if", "--journal", journal(), "--policy", "priority", "--json", "-");
        var json = JsonMapper.builder().build().readTree(ran.out());
        assertThat(json.get("first_difference").isNull()).isTrue();
        assertThat(json.get("what_if")).isEqualTo(json.get("recorded"));
        assertThat(json.get("recorded").get("all").get("evictions").asInt()).isPositive();
    }

    @Test
    void anotherPolicyIsComparedTenantByTenant() {
        Ran ran = Ran.lab("what-if", "--journal", journal(), "--policy", "fifo");
        assertThat(ran.code()).isZero();
        assertThat(ran.out())
                .contains("what if       fifo, where it was priority")
                .contains("parted        at batch")
                .contains("fairness")
                .containsPattern("all +\\d+ .* → ");
    }

    @Test
    void anotherPlacementStrategyIsNamedAndCompared() {
        String[] words = {"what-if", "--journal", journal(), "--since", "2026-01-05", "--placer"};
        var all = new ArrayList<>(List.of(words));
        all.add("fgd");
        Ran ran = Ran.lab(all.toArray(String[]::new));
        assertThat(ran.out())
                .contains("what if       priority with placement fgd, where it was priority with")
                .contains("batch 0, 2026-01-05T00:00:00Z");
        List<String> told = ran.out().lines().filter(line -> line.contains(": job-")).toList();
        assertThat(told.stream().map(line -> line.replaceFirst(".*(was|otherwise): ", "")))
                .hasSizeGreaterThan(1)
                .doesNotHaveDuplicates();
    }

    @Test
    void theSampleThatShipsCanBeAskedAbout() {
        Ran ran =
                Ran.lab("what-if", "--journal", "../samples/journal.jsonl.gz", "--policy", "fair");
        assertThat(ran.code()).isZero();
        assertThat(ran.out()).contains("students").contains("research").doesNotContain("1970");
        Ran same = Ran.lab("what-if", "--journal", "../samples/journal.jsonl.gz");
        assertThat(same.code()).as(same.out() + "if rules changed, make the sample anew").isZero();
        assertThat(same.out()).contains("divergences", "0");
    }

    @Test
    void aJournalWithoutAnythingIsNoProof() throws IOException {
        Path empty = Files.createFile(folder.resolve("empty.jsonl"));
        Ran ran = Ran.lab("what-if", "--journal", empty.toString());
        assertThat(ran.code()).isNotZero();
        assertThat(ran.err()).contains("expected a journal with at least one batch");
    }

    @Test
    void theFolderOfASchedulerIsReadLikeItsExport() {
        Path data = folder.resolve("data");
        Path file = Path.of(journal());
        try (var into = SqlJournal.open(new Database.Sqlite(data), StoreHealth.UNHEARD)) {
            into.raiseTerm();
            new JournalFile(file).read(0, batch -> into.append(batch, () -> {}));
        }
        String again = folder.resolve("again.jsonl").toString();
        Ran exported = Ran.lab("export", "--data-dir", data.toString(), "--out", again);
        assertThat(exported.err()).contains("wrote the journal up to batch");
        assertThat(Ran.lab("what-if", "--journal", data.toString(), "--policy", "fifo").out())
                .isEqualTo(Ran.lab("what-if", "--journal", again, "--policy", "fifo").out())
                .isEqualTo(
                        Ran.lab("what-if", "--journal", file.toString(), "--policy", "fifo").out());
    }

    @Test
    void aFileWithoutItsEndIsUsedAsFarAsItGoes() throws IOException {
        Path half = folder.resolve("half.jsonl");
        var written = new ArrayList<Batch>();
        new JournalFile(Path.of(journal())).read(0, written::add);
        try (var writer = JournalFile.Writer.create(half)) {
            written.forEach(writer::add);
            writer.finish();
        }
        String text = Files.readString(half);
        Files.writeString(half, text.substring(0, text.length() - 10));
        Ran ran = Ran.lab("what-if", "--journal", half.toString());
        assertThat(ran.code()).isZero();
        assertThat(ran.err())
                .contains("half.jsonl:" + written.size() + ": the last line has no end");
    }

    @Test
    void whatCannotBeDoneIsSaidInASentence() throws IOException {
        Path bad = Files.writeString(folder.resolve("bad.jsonl"), "{\"number\":1}\n");
        assertFails("bad.jsonl:1: expected number, term", "--journal", bad.toString());
        assertFails("found none", "--journal", folder.resolve("none").toString());
        assertFails("expected journal.db", "--journal", folder.toString());
        String journal = journal();
        assertFails("the nearest is fifo", "--journal", journal, "--policy", "fito");
        Ran nowhere = Ran.lab("export", "--data-dir", folder + "/nowhere", "--out", folder + "/x");
        assertThat(nowhere.err())
                .contains("expected the data folder of a scheduler, found no folder");
        assertFails("found \"noon\"", "--journal", journal, "--since", "noon");
        assertFails(
                "the journal ends", "--journal", journal, "--policy", "fifo", "--since", "9999");
    }

    private static void assertFails(String why, String... args) {
        var all = new ArrayList<>(List.of("what-if"));
        all.addAll(List.of(args));
        Ran ran = Ran.lab(all.toArray(String[]::new));
        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.err()).startsWith("lab: ").contains(why);
    }
}
