package io.gpusched.lab.environment;

import io.gpusched.wire.request.JsonTree;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// The object of a request, read field by field. Errors name the field with its path.
final class RequestObject {
    private final String path;
    private final JsonTree.Mapping mapping;
    private final Set<String> known = new LinkedHashSet<>();

    private RequestObject(String path, JsonTree.Mapping mapping) {
        this.path = path;
        this.mapping = mapping;
    }

    static RequestObject of(String path, JsonTree value) {
        if (value instanceof JsonTree.Mapping mapping) {
            return new RequestObject(path, mapping);
        }
        throw new RequestError(path, "expected an object such as {}, found " + value.shown());
    }

    boolean has(String name) {
        return find(name) != null;
    }

    private @Nullable JsonTree find(String name) {
        known.add(name);
        JsonTree value = mapping.entries().get(name);
        return value instanceof JsonTree.Nothing ? null : value;
    }

    int whole(String name, int otherwise) {
        JsonTree value = find(name);
        return value == null ? otherwise : whole(name, value);
    }

    private int whole(String name, JsonTree value) {
        if (value instanceof JsonTree.Whole(long number) && number == (int) number) {
            return (int) number;
        }
        throw wrong(name, "a whole number", value);
    }

    /// The number must be there.
    int whole(String name) {
        JsonTree value = find(name);
        if (value == null) {
            throw new RequestError(path + "." + name, "expected a whole number, found nothing");
        }
        return whole(name, value);
    }

    List<Integer> wholes(String name) {
        JsonTree value = find(name);
        if (!(value instanceof JsonTree.Items(List<JsonTree> all))) {
            throw new RequestError(
                    path + "." + name,
                    "expected a list of whole numbers, found "
                            + (value == null ? "nothing" : value.shown()));
        }
        var numbers = new ArrayList<Integer>();
        for (JsonTree each : all) {
            numbers.add(whole(name + "[" + numbers.size() + "]", each));
        }
        return numbers;
    }

    /// A seed from 0 to 2³² - 1.
    long seed(String name, long otherwise) {
        JsonTree value = find(name);
        if (value == null) {
            return otherwise;
        }
        if (value instanceof JsonTree.Whole(long number) && number >= 0 && number >> 32 == 0) {
            return number;
        }
        throw wrong(name, "a whole number from 0 to 4294967295", value);
    }

    @Nullable Double number(String name, @Nullable Double otherwise) {
        JsonTree value = find(name);
        return switch (value) {
            case null -> otherwise;
            case JsonTree.Whole(long number) -> (double) number;
            case JsonTree.Fraction(double number) -> number;
            default -> throw wrong(name, "a number", value);
        };
    }

    double number(String name, double otherwise) {
        Double given = number(name, (Double) null);
        return given == null ? otherwise : given;
    }

    String text(String name, String otherwise) {
        JsonTree value = find(name);
        return switch (value) {
            case null -> otherwise;
            case JsonTree.Text(String text) -> text;
            default -> throw wrong(name, "a text", value);
        };
    }

    /// Call it after all fields were read: a field that was not asked for is an error.
    void end() {
        for (String name : mapping.entries().keySet()) {
            if (!known.contains(name)) {
                throw new RequestError(
                        path + "." + name,
                        known.isEmpty()
                                ? "unknown field; expected none"
                                : "unknown field; expected one of " + String.join(", ", known));
            }
        }
    }

    private RequestError wrong(String name, String expected, JsonTree found) {
        return new RequestError(
                path + "." + name, "expected " + expected + ", found " + found.shown());
    }
}
