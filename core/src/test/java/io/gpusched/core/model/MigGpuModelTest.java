package io.gpusched.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

final class MigGpuModelTest {
    @Test
    void theMemoryThatADriverReportsIdentifiesACard() {
        var gpu = new Gpu(0, GpuModel.parse("A100"), 40_536, "");
        assertThat(MigGpuModel.of(gpu))
                .isNotNull()
                .extracting(MigGpuModel::model)
                .hasToString("A100-40GB");
        assertThat(MigGpuModel.of(new Gpu(0, GpuModel.parse("T4-16GB"), 16_384, ""))).isNull();
    }

    @Test
    void aQuotaCountsComputeSlices() {
        assertThat(GpuRequest.slices("3g.20gb", 2).milliGpus()).isEqualTo(856);
        assertThat(GpuRequest.slices("2g.12gb", 1).milliGpus()).isEqualTo(500);
        assertThat(GpuRequest.slices("7g.80gb", 1).milliGpus()).isEqualTo(1000);
    }

    @Test
    void labelsAreUnderstood() {
        assertThat(MigConfig.parse("all-1g.5gb").kind()).isEqualTo(MigConfig.Kind.FIXED);
        assertThat(MigConfig.parse("all-1g.5gb.me").kind()).isEqualTo(MigConfig.Kind.FIXED);
        assertThat(MigConfig.parse("all-9g.5gb").kind()).isEqualTo(MigConfig.Kind.UNKNOWN);
        assertThat(MigConfig.parse("all-disabled").kind()).isEqualTo(MigConfig.Kind.OFF);
        assertThat(MigConfig.parse("Mixed").kind()).isEqualTo(MigConfig.Kind.DYNAMIC);
    }

    @Test
    void aNodeMaySayHowEachGpuIsCut() {
        MigGpuModel card = MigGpuModel.all().getFirst();
        MigConfig config = MigConfig.parse("none|1g.5gb:7|2g.10gb:3|1g.5gb:1,3g.20gb:1");
        assertThat(config.kind()).isEqualTo(MigConfig.Kind.FIXED);
        assertThat(config.layout(card, 0)).isEmpty();
        assertThat(config.layout(card, 1)).hasSize(7);
        assertThat(config.layout(card, 2))
                .extracting(MigSlot::shown)
                .containsExactly("2:2g.10gb@4", "2:2g.10gb@2", "2:2g.10gb@0");
        assertThat(config.layout(card, 3))
                .extracting(MigSlot::shown)
                .containsExactly("3:3g.20gb@4", "3:1g.5gb@3");
        assertThat(config.layout(card, 4)).as("a GPU without a part").isEmpty();
    }

    @Test
    void whatNoCardHasIsUnknown() {
        for (String value : List.of("1g.5gb:9", "1g.5gb", "9g.5gb:1", "none|", ":7", "1g.5gb:7,")) {
            assertThat(MigConfig.parse(value + "|none").kind())
                    .as(value)
                    .isEqualTo(MigConfig.Kind.UNKNOWN);
        }
    }

    @Test
    void everyCardHasABalancedMix() {
        for (MigGpuModel card : MigGpuModel.all()) {
            List<MigSlot> mix = MigConfig.parse("all-balanced").layout(card, 0);
            int covered = 0;
            for (MigSlot slot : mix) {
                assertThat(covered & slot.bits()).isZero();
                MigProfile profile = Objects.requireNonNull(card.profile(slot.profile()));
                assertThat(profile.starts() >>> slot.first() & 1).isOne();
                covered |= slot.bits();
            }
            assertThat(mix).hasSizeBetween(3, 4);
        }
    }

    /// Compares with the facts collected from NVIDIA's documentation, if they lie beside the
    /// project.
    @Test
    void profilesAreThoseThatNvidiaLists() throws IOException {
        Path facts = facts();
        assumeTrue(
                Files.exists(facts),
                facts + " does not exist, so there is nothing to compare with");
        var expected = new ArrayList<String>();
        for (String line : Files.readAllLines(facts).stream().skip(1).toList()) {
            String[] cells = line.split(",", -1);
            expected.add(
                    String.join(
                            " ",
                            cells[0],
                            cells[3],
                            cells[4].isEmpty() ? "-1" : cells[4],
                            cells[5],
                            cells[6],
                            cells[7],
                            cells[8],
                            cells[9],
                            cells[10]));
        }
        var ours = new ArrayList<String>();
        for (MigGpuModel card : MigGpuModel.all()) {
            for (MigProfile profile : card.profiles()) {
                var starts = new ArrayList<String>();
                for (int at = 0; at < 8; at++) {
                    if ((profile.starts() >>> at & 1) == 1) {
                        starts.add(Integer.toString(at));
                    }
                }
                ours.add(
                        "%s %s %s %s %s %s %s %s %s"
                                .formatted(
                                        card.model(),
                                        profile.name(),
                                        profile.id(),
                                        profile.most(),
                                        profile.sms(),
                                        profile.memoryMiB(),
                                        String.join(" ", starts),
                                        profile.size(),
                                        profile.media() ? "media" : ""));
            }
        }
        assertThat(ours).containsExactlyElementsOf(expected);
    }

    private static Path facts() {
        String shared = System.getProperty("shared", "../../shared");
        return Path.of(shared, "traces", "mig", "mig_profiles.csv");
    }
}
