package io.gpusched.gateway.measure;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/// What the gateway needs to know of a request's body: the model, and about how long the prompt is.
///
/// @param model null when the body names none
/// @param modelFrom index of the first byte of the model's JSON value
/// @param modelTo index after its last byte
/// @param promptTokens four characters of text count as one token
/// @param isJson whether the body is a JSON object
public record PromptScan(
        @Nullable String model, int modelFrom, int modelTo, long promptTokens, boolean isJson) {
    private static final JsonFactory JSON = new JsonFactory();
    private static final int CHARACTERS_PER_TOKEN = 4;
    private static final Set<String> MEDIA =
            Set.of("image_url", "audio_url", "video_url", "input_audio");

    public static PromptScan of(byte[] body) {
        try (JsonParser parser = JSON.createParser(body)) {
            return parser.nextToken() == JsonToken.START_OBJECT ? scan(parser) : opaque(body);
        } catch (IOException e) {
            return opaque(body);
        }
    }

    /// A body that is not JSON, such as a form with a sound file, is judged by its length.
    private static PromptScan opaque(byte[] body) {
        return new PromptScan(null, 0, 0, body.length / CHARACTERS_PER_TOKEN, false);
    }

    private static PromptScan scan(JsonParser parser) throws IOException {
        String model = null;
        int modelFrom = 0;
        int modelTo = 0;
        long characters = 0;
        long numbers = 0;
        int depth = 1;
        while (depth > 0) {
            JsonToken token = parser.nextToken();
            if (token == null) {
                throw new IOException("the JSON object has no end");
            }
            switch (token) {
                case START_OBJECT, START_ARRAY -> depth++;
                case END_OBJECT, END_ARRAY -> depth--;
                case VALUE_STRING -> {
                    if (depth == 1 && "model".equals(parser.currentName())) {
                        modelFrom = (int) parser.currentTokenLocation().getByteOffset();
                        model = parser.getText();
                        modelTo = (int) parser.currentLocation().getByteOffset();
                    } else if (!isMedium(parser)) {
                        characters += parser.getTextLength();
                    }
                }
                case VALUE_NUMBER_INT -> numbers += depth > 1 ? 1 : 0;
                default -> {}
            }
        }
        long tokens = (characters + CHARACTERS_PER_TOKEN - 1) / CHARACTERS_PER_TOKEN + numbers;
        if (modelFrom < 0 || modelTo < 0) {
            throw new IOException("the JSON is not in UTF-8, so no byte of it can be pointed at");
        }
        return new PromptScan(model, modelFrom, modelTo, tokens, true);
    }

    /// Whether the text is a picture or a sound within the JSON. Only where replicas expect one,
    /// because a prompt may begin with the same letters.
    private static boolean isMedium(JsonParser parser) throws IOException {
        if (!parser.getText().startsWith("data:")) {
            return false;
        }
        JsonStreamContext within = parser.getParsingContext();
        JsonStreamContext around = within.getParent();
        return isMedium(within.getCurrentName())
                || around != null && isMedium(around.getCurrentName());
    }

    private static boolean isMedium(@Nullable String name) {
        return name != null && MEDIA.contains(name);
    }

    /// The body with another model, which must need no escapes in JSON.
    public byte[] withModel(byte[] body, String other) {
        byte[] value = ('"' + other + '"').getBytes(StandardCharsets.UTF_8);
        var changed = new byte[body.length - (modelTo - modelFrom) + value.length];
        System.arraycopy(body, 0, changed, 0, modelFrom);
        System.arraycopy(value, 0, changed, modelFrom, value.length);
        System.arraycopy(body, modelTo, changed, modelFrom + value.length, body.length - modelTo);
        return changed;
    }
}
