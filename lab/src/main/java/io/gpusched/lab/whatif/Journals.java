package io.gpusched.lab.whatif;

import io.gpusched.core.event.Batch;
import io.gpusched.core.policy.RankingModel;
import io.gpusched.sim.scenario.ScenarioCarbon;
import io.gpusched.sim.scenario.ScenarioPolicy;
import io.gpusched.sim.whatif.History;
import io.gpusched.sim.whatif.SchedulerConfig;
import io.gpusched.store.Database;
import io.gpusched.store.JournalFile;
import io.gpusched.store.JournalReader;
import io.gpusched.store.StoreException;
import io.gpusched.wire.codec.SettingsText;
import io.gpusched.wire.model.ShippedModel;

import org.jspecify.annotations.Nullable;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/// A journal that was named on the command line: the data directory of a scheduler, running or not,
/// or a file that was exported from one.
public final class Journals implements History, SchedulerConfig.Known {
    private static final String DATABASE = "journal.db";

    private final Path place;
    private final @Nullable JournalFile file;
    private final Set<String> remarks = new LinkedHashSet<>();
    private long head;

    private Journals(Path place, @Nullable JournalFile file) {
        this.place = place;
        this.file = file;
    }

    public static Journals at(Path place) {
        if (Files.isDirectory(place)) {
            if (!Files.isRegularFile(place.resolve(DATABASE))) {
                throw new StoreException(
                        StoreException.Kind.BROKEN,
                        "expected "
                                + DATABASE
                                + " in the directory "
                                + place
                                + ", found none; name the data directory of a scheduler");
            }
            return new Journals(place, null);
        }
        return new Journals(place, new JournalFile(place));
    }

    /// Reads up to the end that the journal had at the first pass, even if it has grown since.
    @Override
    public void read(long after, Consumer<Batch> into) {
        if (file != null) {
            file.read(after, into);
            if (file.cut() != null) {
                remarks.add(file.cut() + "; what is before it was used");
            }
            return;
        }
        try (JournalReader reader = reader()) {
            head = head == 0 ? reader.head() : head;
            reader.read(after, head - after, into);
        }
    }

    public JournalReader reader() {
        return JournalReader.open(new Database.Sqlite(place));
    }

    @Override
    public @Nullable SchedulerConfig of(String fingerprint) {
        SettingsText.Read read = SettingsText.read(fingerprint);
        if (read == null) {
            remarks.add(
                    "the journal does not tell its settings, as older releases did not; the usual"
                            + " ones are taken");
            return null;
        }
        if (!read.plugins().isEmpty()) {
            remarks.add(
                    "rules from elsewhere took part that are not here, so decisions may differ: "
                            + read.plugins());
        }
        if (read.policy().endsWith(ScenarioCarbon.ENDING)) {
            remarks.add(
                    "jobs were held back until power was clean ("
                            + read.policy()
                            + "), and what was foreseen is not in the journal, so the rules in"
                            + " force cannot decide the same again");
        }
        RankingModel model = ShippedModel.read();
        if (!read.model().isEmpty() && !read.model().equals(model.name())) {
            remarks.add(
                    "the scheduler had model "
                            + read.model()
                            + " for learned policies; "
                            + model.name()
                            + " is used here, so what it decides may differ");
        }
        return new SchedulerConfig(ScenarioPolicy.plain(read.policy()), read.with(model));
    }

    /// Warnings about the answer.
    public List<String> remarks() {
        return List.copyOf(remarks);
    }
}
