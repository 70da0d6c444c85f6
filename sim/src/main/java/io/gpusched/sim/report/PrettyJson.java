package io.gpusched.sim.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;

/// Writes JSON over several lines, with a line end after the last.
public final class PrettyJson {
    private static final ObjectWriter WRITER =
            JsonMapper.builder().build().writerWithDefaultPrettyPrinter();

    private PrettyJson() {}

    public static String text(JsonNode json) {
        try {
            return WRITER.writeValueAsString(json) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree cannot be written as JSON", e);
        }
    }
}
