package io.gpusched.wire.codec;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;

import io.gpusched.core.model.Payload;
import io.gpusched.wire.proto.ModelProto;

/// Converts payloads: the script, command, environment and image of a job.
final class PayloadCodec {
    private PayloadCodec() {}

    static ByteString encode(Payload payload) {
        var message =
                ModelProto.Payload.newBuilder()
                        .setScript(payload.script())
                        .addAllCommand(payload.command())
                        .addAllArgs(payload.args())
                        .setImage(payload.image())
                        .setWorkingDir(payload.workingDir())
                        .setAttachment(payload.attachment());
        if (!payload.environment().isEmpty()) {
            message.setEnvironment(LabelCodec.encode(payload.environment()));
        }
        return message.build().toByteString();
    }

    static Payload decode(ByteString bytes) {
        if (bytes.isEmpty()) {
            return Payload.NOTHING;
        }
        ModelProto.Payload message;
        try {
            message = ModelProto.Payload.parseFrom(bytes);
        } catch (InvalidProtocolBufferException e) {
            throw new UnreadableException("a payload cannot be read: " + e.getMessage(), e);
        }
        return new Payload(
                message.getScript(),
                message.getCommandList(),
                message.getArgsList(),
                LabelCodec.decode(message.getEnvironment()),
                message.getImage(),
                message.getWorkingDir(),
                message.getAttachment());
    }
}
