package io.gpusched.wire.codec;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;

import java.io.IOException;
import java.util.List;

/// Converts any protobuf message to JSON and back, by its descriptor: fields by name, unset fields
/// left out, enums by name, bytes in base 64. Numbers that other programs would round are written
/// as text, and read from either.
final class JsonForm {
    /// The largest integer up to which every integer is exact as a double.
    private static final long EXACT = 1L << 53;

    private JsonForm() {}

    static void write(Message message, JsonGenerator out) throws IOException {
        out.writeStartObject();
        for (var entry : message.getAllFields().entrySet()) {
            FieldDescriptor field = entry.getKey();
            out.writeFieldName(field.getName());
            if (field.isRepeated()) {
                out.writeStartArray();
                for (Object each : (List<?>) entry.getValue()) {
                    value(field, each, out);
                }
                out.writeEndArray();
            } else {
                value(field, entry.getValue(), out);
            }
        }
        out.writeEndObject();
    }

    private static void value(FieldDescriptor field, Object value, JsonGenerator out)
            throws IOException {
        switch (field.getJavaType()) {
            case INT -> out.writeNumber((Integer) value);
            case LONG -> whole((Long) value, out);
            case FLOAT -> out.writeNumber((Float) value);
            case DOUBLE -> out.writeNumber((Double) value);
            case BOOLEAN -> out.writeBoolean((Boolean) value);
            case STRING -> out.writeString((String) value);
            case BYTE_STRING -> out.writeBinary(((ByteString) value).toByteArray());
            case ENUM -> out.writeString(((EnumValueDescriptor) value).getName());
            case MESSAGE -> write((Message) value, out);
        }
    }

    private static void whole(long value, JsonGenerator out) throws IOException {
        if (value > -EXACT && value < EXACT) {
            out.writeNumber(value);
        } else {
            out.writeString(Long.toString(value));
        }
    }

    /// Reads the object at the parser's position into `to`.
    static void read(JsonParser in, Message.Builder to) throws IOException {
        if (in.currentToken() != JsonToken.START_OBJECT) {
            throw new UnreadableException(
                    "expected an object for "
                            + to.getDescriptorForType().getName()
                            + ", found "
                            + in.getText());
        }
        while (in.nextToken() != JsonToken.END_OBJECT) {
            String name = in.currentName();
            FieldDescriptor field = to.getDescriptorForType().findFieldByName(name);
            in.nextToken();
            if (field == null) {
                throw UnreadableException.unknown(
                        "field of " + to.getDescriptorForType().getName(), "\"" + name + "\"");
            }
            if (!field.isRepeated()) {
                to.setField(field, value(field, in, to));
                continue;
            }
            if (in.currentToken() != JsonToken.START_ARRAY) {
                throw invalid(field, "a list", in);
            }
            while (in.nextToken() != JsonToken.END_ARRAY) {
                to.addRepeatedField(field, value(field, in, to));
            }
        }
    }

    private static Object value(FieldDescriptor field, JsonParser in, Message.Builder to)
            throws IOException {
        return switch (field.getJavaType()) {
            case INT -> (int) number(field, in);
            case LONG -> number(field, in);
            case FLOAT -> (float) decimal(field, in);
            case DOUBLE -> decimal(field, in);
            case BOOLEAN -> flag(field, in);
            case STRING -> text(field, in);
            case BYTE_STRING -> ByteString.copyFrom(in.getBinaryValue());
            case ENUM -> choice(field, in);
            case MESSAGE -> {
                Message.Builder part = to.newBuilderForField(field);
                read(in, part);
                yield part.build();
            }
        };
    }

    private static long number(FieldDescriptor field, JsonParser in) throws IOException {
        if (in.currentToken() == JsonToken.VALUE_NUMBER_INT) {
            return in.getLongValue();
        }
        try {
            return Long.parseLong(text(field, in));
        } catch (NumberFormatException e) {
            throw invalid(field, "a whole number", in);
        }
    }

    private static double decimal(FieldDescriptor field, JsonParser in) throws IOException {
        if (in.currentToken().isNumeric()) {
            return in.getDoubleValue();
        }
        try {
            return Double.parseDouble(text(field, in));
        } catch (NumberFormatException e) {
            throw invalid(field, "a number", in);
        }
    }

    private static boolean flag(FieldDescriptor field, JsonParser in) throws IOException {
        return switch (in.currentToken()) {
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> throw invalid(field, "true or false", in);
        };
    }

    private static String text(FieldDescriptor field, JsonParser in) throws IOException {
        if (in.currentToken() != JsonToken.VALUE_STRING) {
            throw invalid(field, "a text", in);
        }
        return in.getText();
    }

    private static EnumValueDescriptor choice(FieldDescriptor field, JsonParser in)
            throws IOException {
        EnumValueDescriptor found = field.getEnumType().findValueByName(text(field, in));
        if (found == null) {
            throw UnreadableException.unknown(field.getName(), in.getText());
        }
        return found;
    }

    private static UnreadableException invalid(FieldDescriptor field, String wanted, JsonParser in)
            throws IOException {
        return new UnreadableException(
                "expected " + wanted + " for " + field.getName() + ", found " + in.getText());
    }
}
