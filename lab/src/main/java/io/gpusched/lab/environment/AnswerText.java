package io.gpusched.lab.environment;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;

import io.gpusched.core.policy.learned.HeadEncoder;
import io.gpusched.rl.EnvironmentSettings;
import io.gpusched.rl.VectorEnvironment;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;

/// Answers as JSON on one line.
final class AnswerText {
    private static final JsonFactory JSON = new JsonFactory();

    private interface Body {
        void write(JsonGenerator json) throws IOException;
    }

    private AnswerText() {}

    private static String object(Body body) {
        var text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.writeStartObject();
            body.write(json);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    static String error(String field, String message) {
        return object(
                json -> {
                    json.writeObjectFieldStart("error");
                    json.writeStringField("field", field);
                    json.writeStringField("message", message);
                    json.writeEndObject();
                });
    }

    static String made(EnvironmentSettings settings, int count) {
        return object(
                json -> {
                    json.writeObjectFieldStart("made");
                    json.writeNumberField("protocol", EnvironmentSession.PROTOCOL);
                    json.writeNumberField("num_envs", count);
                    json.writeNumberField("observation_size", settings.observed());
                    json.writeNumberField("num_actions", settings.actions());
                    json.writeNumberField("num_gpus", settings.gpus());
                    json.writeNumberField("max_queue_size", settings.window());
                    json.writeStringField("lookahead_mode", settings.lookahead().toString());
                    json.writeEndObject();
                });
    }

    /// The environment of a scenario or a trace.
    static String made(VectorEnvironment all) {
        return object(
                json -> {
                    json.writeObjectFieldStart("made");
                    json.writeNumberField("protocol", EnvironmentSession.PROTOCOL);
                    json.writeNumberField("num_envs", all.size());
                    json.writeNumberField("observation_size", all.observed());
                    json.writeNumberField("num_actions", all.actions());
                    json.writeNumberField("max_queue_size", all.actions() - 1);
                    json.writeStringField("encoder", HeadEncoder.VERSION);
                    json.writeNumberField("features", HeadEncoder.FEATURES);
                    json.writeEndObject();
                });
    }

    static String closed() {
        return object(
                json -> {
                    json.writeObjectFieldStart("closed");
                    json.writeEndObject();
                });
    }

    /// The beginning of an episode.
    static String begun(VectorEnvironment all) {
        return object(
                json -> {
                    json.writeFieldName("observation");
                    observation(json, all.observations(), 0, all.observed());
                    json.writeFieldName("info");
                    info(json, all, 0, true);
                });
    }

    /// The result of a step.
    static String stepped(VectorEnvironment all) {
        return object(
                json -> {
                    json.writeFieldName("observation");
                    observation(json, all.observations(), 0, all.observed());
                    json.writeNumberField("reward", all.rewards()[0]);
                    json.writeBooleanField("terminated", all.terminated()[0]);
                    json.writeBooleanField("truncated", all.truncated()[0]);
                    json.writeFieldName("info");
                    info(json, all, 0, false);
                });
    }

    /// The beginning of an episode in each of many environments.
    static String begunAll(VectorEnvironment all) {
        return object(
                json -> {
                    observations(json, all);
                    json.writeArrayFieldStart("infos");
                    for (int i = 0; i < all.size(); i++) {
                        info(json, all, i, true);
                    }
                    json.writeEndArray();
                });
    }

    /// The result of a step of many environments, of which those that ended have begun anew.
    static String steppedAll(VectorEnvironment all, VectorResult before) {
        return object(
                json -> {
                    observations(json, all);
                    json.writeArrayFieldStart("rewards");
                    for (double reward : before.rewards()) {
                        json.writeNumber(reward);
                    }
                    json.writeEndArray();
                    flags(json, "terminated", before.terminated());
                    flags(json, "truncated", before.truncated());
                    json.writeArrayFieldStart("infos");
                    for (int i = 0; i < all.size(); i++) {
                        infoOf(json, all, before, i);
                    }
                    json.writeEndArray();
                });
    }

    private static void observations(JsonGenerator json, VectorEnvironment all) throws IOException {
        int size = all.observed();
        json.writeArrayFieldStart("observations");
        for (int i = 0; i < all.size(); i++) {
            observation(json, all.observations(), i * size, size);
        }
        json.writeEndArray();
    }

    private static void observation(JsonGenerator json, float[] numbers, int from, int count)
            throws IOException {
        json.writeStartArray();
        for (int i = from; i < from + count; i++) {
            if (numbers[i] == 0) {
                json.writeNumber(0);
            } else {
                json.writeNumber(numbers[i]);
            }
        }
        json.writeEndArray();
    }

    private static void flags(JsonGenerator json, String name, boolean[] flags) throws IOException {
        json.writeArrayFieldStart(name);
        for (boolean flag : flags) {
            json.writeBoolean(flag);
        }
        json.writeEndArray();
    }

    private static void info(JsonGenerator json, VectorEnvironment all, int i, boolean begun)
            throws IOException {
        json.writeStartObject();
        common(json, all, i, all.invalid()[i]);
        if (begun) {
            json.writeNumberField("total_jobs", all.environment(i).totalJobs());
            json.writeNumberField("seed", all.seed(i));
        }
        if (all.terminated()[i] || all.truncated()[i]) {
            json.writeNumberField("r_terminal", all.terminals()[i]);
        }
        json.writeEndObject();
    }

    private static void infoOf(
            JsonGenerator json, VectorEnvironment all, VectorResult before, int i)
            throws IOException {
        json.writeStartObject();
        common(json, all, i, before.invalid()[i]);
        if (before.terminated()[i] || before.truncated()[i]) {
            int size = all.observed();
            json.writeNumberField("r_terminal", before.terminals()[i]);
            json.writeFieldName("final_observation");
            observation(json, before.observations(), i * size, size);
            json.writeNumberField("seed", all.seed(i));
        }
        json.writeEndObject();
    }

    private static void common(JsonGenerator json, VectorEnvironment all, int i, boolean invalid)
            throws IOException {
        int actions = all.actions();
        json.writeArrayFieldStart("action_mask");
        for (int action = i * actions; action < (i + 1) * actions; action++) {
            json.writeNumber(all.masks()[action] ? 1 : 0);
        }
        json.writeEndArray();
        json.writeNumberField("max_episode_time", all.environment(i).horizon());
        json.writeBooleanField("invalid_action", invalid);
    }
}
