package io.gpusched.lab.environment;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;

import io.gpusched.rl.Baseline;
import io.gpusched.rl.Environment;
import io.gpusched.rl.EnvironmentSettings;
import io.gpusched.rl.Observation;
import io.gpusched.rl.Step;
import io.gpusched.rl.cluster.ClusterEnvironment;
import io.gpusched.rl.cluster.Objective;
import io.gpusched.sim.generate.RandomStream;
import io.gpusched.sim.scenario.Scenario;
import io.gpusched.sim.scenario.ScenarioFile;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

final class EnvironmentSessionTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String SMALL =
            "{\"make\":{\"num_gpus\":4,\"max_queue_size\":6,\"jobs_per_episode\":12%s}}";

    private final EnvironmentSession session = new EnvironmentSession(EnvironmentParameters.USUAL);

    @AfterEach
    void close() {
        session.close();
    }

    private String line(String request) {
        return session.answer(request.getBytes(StandardCharsets.UTF_8));
    }

    private JsonNode ask(String request) {
        try {
            return JSON.readTree(line(request));
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    private static float[] numbers(JsonNode list) {
        var numbers = new float[list.size()];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = list.get(i).floatValue();
        }
        return numbers;
    }

    @Test
    void anEpisodeIsPlayedAsInJava() {
        var alone = new Environment(EnvironmentSettings.USUAL);
        Observation seen = alone.reset(2_000_001);
        JsonNode begun = ask("{\"reset\":{\"seed\":2000001}}");
        assertThat(numbers(begun.get("observation"))).isEqualTo(seen.numbers());
        assertThat(begun.at("/info/total_jobs").asInt()).isEqualTo(400);
        assertThat(begun.at("/info/max_episode_time").asDouble()).isEqualTo(alone.horizon());
        assertThat(begun.at("/info/invalid_action").asBoolean()).isFalse();
        double total = 0;
        while (true) {
            int action = Baseline.SJF.choose(seen, alone.random());
            Step step = alone.step(action);
            JsonNode answer = ask("{\"step\":{\"action\":" + action + "}}");
            assertThat(numbers(answer.get("observation"))).isEqualTo(seen.numbers());
            assertThat(answer.get("reward").asDouble()).isEqualTo(step.reward());
            assertThat(answer.get("terminated").asBoolean()).isEqualTo(step.terminated());
            assertThat(answer.get("truncated").asBoolean()).isEqualTo(step.truncated());
            boolean[] mask = alone.mask();
            for (int i = 0; i < mask.length; i++) {
                assertThat(answer.at("/info/action_mask/" + i).asInt()).isEqualTo(mask[i] ? 1 : 0);
            }
            total += step.reward();
            if (step.isLast()) {
                assertThat(answer.at("/info/r_terminal").asDouble()).isEqualTo(step.terminal());
                break;
            }
            assertThat(answer.at("/info").has("r_terminal")).isFalse();
        }
        assertThat(String.format("%.6f", total)).isEqualTo("0.512000");
    }

    @Test
    void anActionThatIsNotPossibleIsNotAnError() {
        ask("{\"reset\":{\"seed\":1}}");
        for (String action : List.of("50", "51", "-1", "2147483647")) {
            JsonNode answer = ask("{\"step\":{\"action\":" + action + "}}");
            assertThat(answer.at("/info/invalid_action").asBoolean()).isTrue();
        }
        assertThat(ask("{\"step\":{\"action\":0}}").at("/info/invalid_action").asBoolean())
                .isFalse();
    }

    @Test
    void theSettingsAreThoseOfMakeAndElseOfTheServer() {
        JsonNode made = ask("{\"make\":{\"max_queue_size\":6,\"lookahead_mode\":\"cdf\"}}");
        assertThat(made.toString())
                .isEqualTo(
                        "{\"made\":{\"protocol\":1,\"num_envs\":1,\"observation_size\":34,"
                                + "\"num_actions\":7,\"num_gpus\":8,\"max_queue_size\":6,"
                                + "\"lookahead_mode\":\"cdf\"}}");
        assertThat(ask("{\"reset\":{}}").get("observation")).hasSize(34);
    }

    @Test
    void withoutASeedTheNextOneFollows() {
        assertThat(ask("{\"reset\":{}}").at("/info/seed").asLong()).isZero();
        assertThat(ask("{\"reset\":{\"seed\":41}}").at("/info/seed").asLong()).isEqualTo(41);
        assertThat(ask("{\"reset\":{}}").at("/info/seed").asLong()).isEqualTo(42);
        ask("{\"reset\":{\"seed\":4294967295}}");
        assertThat(ask("{\"reset\":{}}").at("/info/seed").asLong()).isZero();
    }

    @Test
    void manyEnvironmentsAreSteppedAtOnceAndBeginAnewByThemselves() {
        ask(SMALL.formatted(",\"num_envs\":3"));
        JsonNode begun = ask("{\"reset\":{\"seed\":10}}");
        assertThat(begun.get("observations")).hasSize(3);
        assertThat(begun.at("/infos/2/seed").asLong()).isEqualTo(12);
        var random = new RandomStream(1);
        var ended = new ArrayList<Long>();
        for (int step = 0; step < 60; step++) {
            int first = random.whole(0, 7);
            JsonNode answer = ask("{\"step\":{\"actions\":[%d,0,1]}}".formatted(first));
            for (int i = 0; i < 3; i++) {
                boolean over =
                        answer.at("/terminated/" + i).asBoolean()
                                || answer.at("/truncated/" + i).asBoolean();
                JsonNode info = answer.at("/infos/" + i);
                assertThat(info.has("final_observation")).isEqualTo(over);
                assertThat(info.has("r_terminal")).isEqualTo(over);
                assertThat(answer.at("/observations/" + i)).hasSize(30);
                assertThat(answer.at("/rewards/" + i).isNumber()).isTrue();
                if (over) {
                    ended.add(info.get("seed").asLong());
                }
            }
        }
        assertThat(ended).isNotEmpty().allMatch(seed -> seed >= 13);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\u0000',
            value = {
                "nonsense | '' | not valid JSON",
                "[1] | '' | expected a JSON object",
                "{} | '' | expected one of make, reset, step, close, found 0 keys",
                "{\"reset\":{},\"step\":{}} | '' | found 2 keys",
                "{\"jump\":{}} | jump | expected one of make, reset, step, close",
                "{\"step\":3} | step | expected an object such as {}, found 3",
                "{\"step\":{\"action\":1}} | step | no episode has begun; send reset first",
                "{\"step\":{}} | step.action | expected a whole number, found nothing",
                "{\"step\":{\"action\":\"a\"}} | step.action | expected a whole number, found"
                        + " \"a\"",
                "{\"step\":{\"action\":1.5}} | step.action | found 1.5",
                "{\"step\":{\"action\":99999999999}} | step.action | found 99999999999",
                "{\"step\":{\"action\":1,\"x\":1}} | step.x | unknown field; expected one of"
                        + " action",
                "{\"reset\":{\"seed\":-1}} | reset.seed | from 0 to 4294967295, found -1",
                "{\"reset\":{\"seed\":4294967296}} | reset.seed | found 4294967296",
                "{\"close\":{\"now\":true}} | close.now | unknown field; expected none",
                "{\"make\":{\"num_gpus\":65}} | make.num_gpus | expected 1 to 64, found 65",
                "{\"make\":{\"num_gpus\":\"8\"}} | make.num_gpus | a whole number, found \"8\"",
                "{\"make\":{\"lookahead_mode\":\"all\"}} | make.lookahead_mode | expected one of"
                        + " off, per_gpu, sorted, cdf, found all",
                "{\"make\":{\"arrival_mode\":1}} | make.arrival_mode | expected a text, found 1",
                "{\"make\":{\"horizon_factor\":0}} | make.horizon_factor | found 0",
                "{\"make\":{\"num_envs\":0}} | make.num_envs | expected 1 to 256, found 0",
                "{\"make\":{\"num_envs\":9,\"jobs_per_episode\":50000}} | make.num_envs | expected"
                        + " 1 to 3, found 9",
                "{\"make\":{\"jobs_per_episode\":100001}} | make.jobs_per_episode | found 100001",
                "{\"make\":{\"gpus\":8}} | make.gpus | unknown field; expected one of num_gpus,"
            })
    void anErrorNamesTheField(String request, String field, String message) {
        JsonNode error = ask(request).get("error");
        assertThat(error.get("field").asText()).isEqualTo(field.replace("''", ""));
        assertThat(error.get("message").asText()).contains(message);
    }

    @Test
    void anErrorChangesNothing() {
        ask(SMALL.formatted(""));
        String before = line("{\"reset\":{\"seed\":5}}");
        ask("{\"make\":{\"num_gpus\":0}}");
        ask("{\"step\":{\"action\":null}}");
        ask("{\"reset\":{\"seed\":\"x\"}}");
        JsonNode next = ask("{\"step\":{\"action\":0}}");
        assertThat(next.get("observation")).hasSize(30);
        assertThat(line("{\"reset\":{\"seed\":5}}")).isEqualTo(before);
    }

    @Test
    void aStepAfterTheEndIsRefused() {
        ask(SMALL.formatted(",\"max_episode_steps\":1"));
        ask("{\"reset\":{\"seed\":5}}");
        assertThat(ask("{\"step\":{\"action\":0}}").get("truncated").asBoolean()).isTrue();
        assertThat(ask("{\"step\":{\"action\":0}}").at("/error/message").asText())
                .isEqualTo("the episode is over; send reset first");
        assertThat(ask("{\"reset\":{\"seed\":5}}").has("observation")).isTrue();
    }

    @Test
    void everyEnvironmentNeedsItsActionAndItsSeed() {
        ask(SMALL.formatted(",\"num_envs\":2"));
        assertThat(ask("{\"reset\":{\"seed\":4294967295}}").at("/error/message").asText())
                .isEqualTo("expected at most 4294967294 for 2 environments, found 4294967295");
        ask("{\"reset\":{\"seed\":4294967294}}");
        assertThat(ask("{\"step\":{\"actions\":[0]}}").at("/error/message").asText())
                .isEqualTo("expected 2 actions, found 1");
        assertThat(ask("{\"step\":{\"actions\":[0,true]}}").at("/error/field").asText())
                .isEqualTo("step.actions[1]");
        assertThat(ask("{\"step\":{\"action\":0}}").at("/error/field").asText())
                .isEqualTo("step.actions");
    }

    @Test
    void aScenarioIsServedWithTheRowsOfTheProductionEncoder() {
        Scenario day = ScenarioFile.read(Path.of("../scenarios/busy-day.yaml"));
        var settings =
                new ClusterEnvironment.Settings(8, 1000, 20, Objective.of(Objective.Goal.SLOWDOWN));
        try (var served =
                new EnvironmentSession(
                        EnvironmentParameters.USUAL, () -> new ClusterEnvironment(day, settings))) {
            var alone = new ClusterEnvironment(day, settings);
            String made = served.answer("{\"make\":{}}".getBytes(StandardCharsets.UTF_8));
            assertThat(made)
                    .isEqualTo(
                            "{\"made\":{\"protocol\":1,\"num_envs\":1,\"observation_size\":240,"
                                    + "\"num_actions\":9,\"max_queue_size\":8,"
                                    + "\"encoder\":\"heads-1\",\"features\":30}}");
            alone.reset(7);
            served.answer("{\"reset\":{\"seed\":7}}".getBytes(StandardCharsets.UTF_8));
            Step step;
            do {
                step = alone.step(1);
                String answer =
                        served.answer("{\"step\":{\"action\":1}}".getBytes(StandardCharsets.UTF_8));
                assertThat(answer).contains("\"reward\":" + step.reward());
            } while (!step.isLast());
        }
    }
}
