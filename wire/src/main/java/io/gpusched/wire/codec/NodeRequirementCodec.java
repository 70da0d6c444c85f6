package io.gpusched.wire.codec;

import io.gpusched.core.model.NodeAlternatives;
import io.gpusched.core.model.NodeRequirement;
import io.gpusched.wire.proto.ModelProto;

import java.util.List;

/// Converts requirements on the labels of nodes.
final class NodeRequirementCodec {
    private NodeRequirementCodec() {}

    static ModelProto.NodeAlternative encode(List<NodeRequirement> all) {
        var message = ModelProto.NodeAlternative.newBuilder();
        for (NodeRequirement one : all) {
            message.addAllBuilder()
                    .setKey(one.key())
                    .setOperator(encode(one.operator()))
                    .addAllValues(one.values());
        }
        return message.build();
    }

    static NodeAlternatives decode(List<ModelProto.NodeAlternative> any) {
        return any.isEmpty()
                ? NodeAlternatives.NONE
                : new NodeAlternatives(any.stream().map(NodeRequirementCodec::decode).toList());
    }

    private static List<NodeRequirement> decode(ModelProto.NodeAlternative alternative) {
        return alternative.getAllList().stream()
                .map(
                        one ->
                                new NodeRequirement(
                                        one.getKey(),
                                        decode(one.getOperator()),
                                        List.copyOf(one.getValuesList())))
                .toList();
    }

    private static ModelProto.NodeRequirement.Operator encode(NodeRequirement.Operator operator) {
        return switch (operator) {
            case IN -> ModelProto.NodeRequirement.Operator.IN;
            case NOT_IN -> ModelProto.NodeRequirement.Operator.NOT_IN;
            case EXISTS -> ModelProto.NodeRequirement.Operator.EXISTS;
            case DOES_NOT_EXIST -> ModelProto.NodeRequirement.Operator.DOES_NOT_EXIST;
            case GREATER -> ModelProto.NodeRequirement.Operator.GREATER;
            case LESS -> ModelProto.NodeRequirement.Operator.LESS;
        };
    }

    private static NodeRequirement.Operator decode(ModelProto.NodeRequirement.Operator operator) {
        return switch (operator) {
            case IN -> NodeRequirement.Operator.IN;
            case NOT_IN -> NodeRequirement.Operator.NOT_IN;
            case EXISTS -> NodeRequirement.Operator.EXISTS;
            case DOES_NOT_EXIST -> NodeRequirement.Operator.DOES_NOT_EXIST;
            case GREATER -> NodeRequirement.Operator.GREATER;
            case LESS -> NodeRequirement.Operator.LESS;
            case UNSPECIFIED, UNRECOGNIZED ->
                    throw UnreadableException.unknown("requirement of a label", operator);
        };
    }
}
