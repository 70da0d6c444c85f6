package io.gpusched.server.http;

import io.gpusched.wire.request.JsonTree;

/// Writes JSON trees.
final class JsonTrees {
    private JsonTrees() {}

    /// Writes the fields of an object into one that is open.
    static void fields(JsonTree.Mapping tree, JsonOutput out) {
        tree.entries()
                .forEach(
                        (key, value) -> {
                            out.key(key);
                            value(value, out);
                        });
    }

    private static void value(JsonTree tree, JsonOutput out) {
        switch (tree) {
            case JsonTree.Text(String text) -> out.value(text);
            case JsonTree.Whole(long number) -> out.value(number);
            case JsonTree.Fraction(double number) -> out.exactly(number);
            case JsonTree.Huge(String digits) -> out.written(digits);
            case JsonTree.Flag(boolean flag) -> out.value(flag);
            case JsonTree.Nothing() -> out.value((String) null);
            case JsonTree.Items(var all) -> {
                out.array();
                all.forEach(each -> value(each, out));
                out.endArray();
            }
            case JsonTree.Mapping mapping -> {
                out.object();
                fields(mapping, out);
                out.endObject();
            }
        }
    }
}
