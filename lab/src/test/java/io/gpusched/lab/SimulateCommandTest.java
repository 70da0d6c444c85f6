package io.gpusched.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;

import io.gpusched.core.policy.learned.ScoreModel;
import io.gpusched.sim.scenario.ScenarioPolicy;
import io.gpusched.wire.model.ModelFile;
import io.gpusched.wire.model.ShippedModel;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

final class SimulateCommandTest {
    private static final String AGEING = "../scenarios/ageing.yaml";

    @Test
    void aScenarioGivesAReadableReport() {
        Ran ran = Ran.lab("simulate", AGEING);
        assertThat(ran.code()).isZero();
        assertThat(ran.out())
                .contains("scenario     ageing")
                .contains("policy       priority   seed 1")
                .contains("4 submitted, 4 completed")
                .contains("wait mean");
        assertThat(ran.err()).contains("times as fast as real time");
    }

    @Test
    void theTimelineTellsTheStoryBeforeTheReport() {
        Ran ran = Ran.lab("simulate", AGEING, "--timeline");
        assertThat(ran.out()).startsWith("00:00:00  submit   job-1");
        assertThat(ran.out().indexOf("end      job-4")).isLessThan(ran.out().indexOf("scenario  "));
    }

    @Test
    void anotherPolicyDecidesOtherwise() {
        Ran ran = Ran.lab("simulate", AGEING, "--policy", "fifo", "--timeline");
        assertThat(ran.out()).contains("policy       fifo");
        assertThat(ran.out().indexOf("place    job-2"))
                .isLessThan(ran.out().indexOf("place    job-4"));
    }

    @Test
    void aModelOrdersTheQueueUnderALearnedPolicy(@TempDir Path folder) throws IOException {
        String day = "../scenarios/busy-day.yaml";
        Ran shipped = Ran.lab("simulate", day, "--jobs", "200", "--policy", "learned");
        assertThat(shipped.out()).contains("policy       learned");

        ScoreModel model = ShippedModel.read();
        float[] reversed = model.weights();
        int hidden = model.sizes()[model.sizes().length - 2];
        for (int i = reversed.length - 1 - hidden; i < reversed.length; i++) {
            reversed[i] = -reversed[i];
        }
        Path file = folder.resolve("reversed.model");
        ModelFile.write(file, new ScoreModel(model.encoder(), model.sizes(), reversed));
        Ran other =
                Ran.lab(
                        "simulate",
                        day,
                        "--jobs",
                        "200",
                        "--policy",
                        "learned",
                        "--model",
                        file.toString());
        assertThat(other.code()).isZero();
        assertThat(other.out()).isNotEqualTo(shipped.out());
        assertThat(Ran.lab("simulate", day, "--model", "none.model").err())
                .isEqualTo("lab: --model: none.model: there is no such file\n");
        assertThat(Ran.lab("simulate", day, "--starvation-bound", "soon").err())
                .isEqualTo(
                        "lab: --starvation-bound: expected a time such as 12h or 1d, found soon\n");
    }

    @Test
    void theSameSeedGivesTheSameReportAndAnotherSeedAnother() {
        String day = "../scenarios/busy-day.yaml";
        Ran one = Ran.lab("simulate", day, "--jobs", "60", "--seed", "5");
        assertThat(Ran.lab("simulate", day, "--jobs", "60", "--seed", "5").out())
                .isEqualTo(one.out());
        assertThat(Ran.lab("simulate", day, "--jobs", "60", "--seed", "6").out())
                .isNotEqualTo(one.out());
    }

    @Test
    void asManyJobsComeAsAreWanted() {
        for (int wanted : new int[] {1, 100}) {
            Ran ran = Ran.lab("simulate", "../scenarios/busy-day.yaml", "--jobs", "" + wanted);
            assertThat(ran.out()).containsPattern("jobs +" + wanted + " ");
        }
    }

    @Test
    void fewerThanOneJobIsRefused() {
        Ran ran = Ran.lab("simulate", "../scenarios/busy-day.yaml", "--jobs", "-4");
        assertThat(ran.code()).isNotZero();
        assertThat(ran.err()).contains("--jobs: expected at least 1, found -4");
    }

    @Test
    void figuresAreWrittenAsJson(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("figures.json");
        assertThat(Ran.lab("simulate", AGEING, "--json", file.toString()).code()).isZero();
        JsonNode json = JsonMapper.builder().build().readTree(Files.readString(file));
        assertThat(json.get("policy").asText()).isEqualTo("priority");
        assertThat(json.at("/all/completed").asInt()).isEqualTo(4);
        assertThat(json.at("/tenants/default/wait_seconds/max").asDouble()).isPositive();
    }

    @Test
    void aDashWritesNothingButJsonToStandardOutput() throws IOException {
        Ran ran = Ran.lab("simulate", AGEING, "--json", "-", "--timeline");
        assertThat(JsonMapper.builder().build().readTree(ran.out()).get("seed").asLong()).isOne();
        assertThat(ran.err()).contains("submit   job-1");
    }

    @Test
    void anErrorIsOneSentence(@TempDir Path folder) throws IOException {
        Path typo = folder.resolve("typo.yaml");
        Files.writeString(typo, "clusters: []\n");
        assertThat(Ran.lab("simulate", "nowhere.yaml"))
                .isEqualTo(new Ran(1, "", "lab: nowhere.yaml: there is no file nowhere.yaml\n"));
        assertThat(Ran.lab("simulate", typo.toString()).err()).contains("did you mean cluster?");
        assertThat(Ran.lab("simulate", AGEING, "--policy", "fiffo").err())
                .isEqualTo("lab: --policy: there is no policy fiffo; did you mean fifo?\n");
        assertThat(Ran.lab("simulate", AGEING, "--policy", "nope").err())
                .isEqualTo(
                        "lab: --policy: there is no policy nope; known here are "
                                + String.join(", ", ScenarioPolicy.NAMES)
                                + "\n");
        assertThat(Ran.lab("simulate", AGEING, "--placement", "best-fitt").err())
                .isEqualTo(
                        "lab: --placement: there is no placement best-fitt; did you mean"
                                + " best-fit?\n");
        assertThat(Ran.lab("simulate", AGEING, "--jobs", "5").err()).contains("lists its jobs");
        assertThat(Ran.lab("simulate", AGEING, "--json", "/nowhere/at/all").err())
                .contains("cannot write /nowhere/at/all");
        assertThat(Ran.lab("simulate", AGEING, "--seed", "x").code()).isEqualTo(2);
        assertThat(Ran.lab("simulate").code()).isEqualTo(2);
    }

    @Test
    void helpIsNeverFar() {
        assertThat(Ran.lab().out()).contains("simulate");
        assertThat(Ran.lab("simulate", "--help").out())
                .contains("--policy")
                .contains("priority-skip");
    }
}
