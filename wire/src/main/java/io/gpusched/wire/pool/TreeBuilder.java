package io.gpusched.wire.pool;

import io.gpusched.wire.request.JsonTree;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Builds a JSON object, its keys in the order in which they are put.
public final class TreeBuilder {
    private final LinkedHashMap<String, JsonTree> entries = new LinkedHashMap<>();

    public TreeBuilder put(String key, JsonTree value) {
        entries.put(key, value);
        return this;
    }

    public TreeBuilder put(String key, String value) {
        return put(key, new JsonTree.Text(value));
    }

    public TreeBuilder put(String key, long value) {
        return put(key, new JsonTree.Whole(value));
    }

    public TreeBuilder put(String key, boolean value) {
        return put(key, new JsonTree.Flag(value));
    }

    /// A number of thousandths or millionths, as a decimal.
    public TreeBuilder put(String key, long value, int decimals) {
        return put(key, decimal(BigDecimal.valueOf(value, decimals)));
    }

    public TreeBuilder put(String key, List<String> values) {
        return put(key, texts(values));
    }

    public TreeBuilder put(String key, Map<String, String> values) {
        var pairs = new TreeBuilder();
        values.forEach(pairs::put);
        return put(key, pairs.build());
    }

    public TreeBuilder putUnlessEmpty(String key, String value) {
        return value.isEmpty() ? this : put(key, value);
    }

    public TreeBuilder putUnlessEmpty(String key, List<String> values) {
        return values.isEmpty() ? this : put(key, values);
    }

    public TreeBuilder putUnlessZero(String key, long value) {
        return value == 0 ? this : put(key, value);
    }

    public TreeBuilder putUnlessEmpty(String key, TreeBuilder object) {
        return object.entries.isEmpty() ? this : put(key, object.build());
    }

    public static JsonTree texts(List<String> values) {
        return new JsonTree.Items(
                values.stream().map(text -> (JsonTree) new JsonTree.Text(text)).toList());
    }

    private static JsonTree decimal(BigDecimal number) {
        return number.stripTrailingZeros().scale() <= 0
                ? new JsonTree.Whole(number.longValueExact())
                : new JsonTree.Fraction(number.doubleValue());
    }

    public boolean isEmpty() {
        return entries.isEmpty();
    }

    public JsonTree.Mapping build() {
        return new JsonTree.Mapping(entries);
    }
}
