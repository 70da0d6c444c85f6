package io.gpusched.wire.codec;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;

import io.gpusched.core.model.Labels;
import io.gpusched.wire.proto.ModelProto;

import java.util.TreeMap;

/// Converts labels and other pairs of text.
final class LabelCodec {
    private LabelCodec() {}

    static ModelProto.Labels encode(Labels labels) {
        if (labels.isEmpty()) {
            return ModelProto.Labels.getDefaultInstance();
        }
        var message = ModelProto.Labels.newBuilder();
        for (var pair : labels.entries().entrySet()) {
            message.addPairs(
                    ModelProto.Labels.Pair.newBuilder()
                            .setKey(pair.getKey())
                            .setValue(pair.getValue()));
        }
        return message.build();
    }

    static Labels decode(ModelProto.Labels message) {
        if (message.getPairsCount() == 0) {
            return Labels.NONE;
        }
        var pairs = new TreeMap<String, String>();
        for (var pair : message.getPairsList()) {
            pairs.put(pair.getKey(), pair.getValue());
        }
        return new Labels(pairs);
    }

    static ByteString bytes(Labels labels) {
        return labels.isEmpty() ? ByteString.EMPTY : encode(labels).toByteString();
    }

    static Labels decode(ByteString bytes) {
        try {
            return decode(ModelProto.Labels.parseFrom(bytes));
        } catch (InvalidProtocolBufferException e) {
            throw new UnreadableException("labels cannot be read: " + e.getMessage(), e);
        }
    }
}
