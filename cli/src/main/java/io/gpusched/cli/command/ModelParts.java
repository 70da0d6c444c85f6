package io.gpusched.cli.command;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.json.JsonWriter;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Splits an exported model into parts that fit into a request.
///
/// The server evicts the oldest imports first and lists the latest change first. So parts are sent
/// from the end of the lists to their beginning; the importing server then has the same order.
final class ModelParts {
    static final List<String> LISTS = List.of("pairs", "slowdowns", "run_times", "interference");

    /// A quarter of the servers' default limit.
    private static final int MOST_LETTERS = 256 * 1024;

    private ModelParts() {}

    /// The parts, in the order in which they are sent.
    static List<Json> of(Json document) {
        return of(document, MOST_LETTERS);
    }

    /// @param most largest number of characters of a part; a longer item is a part by itself
    static List<Json> of(Json document, int most) {
        var parts = new ArrayList<Json>();
        var rest = new LinkedHashMap<String, Json>();
        for (String name : LISTS) {
            if (document.at(name) instanceof Json.Items(var items)) {
                split(name, items, most, parts);
            } else if (!document.at(name).isNil()) {
                rest.put(name, document.at(name)); // Whoever refuses it says why.
            }
        }
        if (parts.isEmpty() || !rest.isEmpty()) {
            parts.addFirst(new Json.Fields(rest));
        }
        return parts;
    }

    private static void split(String name, List<Json> items, int most, List<Json> into) {
        int end = items.size();
        while (end > 0) {
            int from = end - 1;
            int letters = letters(items.get(from));
            while (from > 0 && letters + letters(items.get(from - 1)) <= most) {
                from--;
                letters += letters(items.get(from));
            }
            into.add(new Json.Fields(Map.of(name, new Json.Items(items.subList(from, end)))));
            end = from;
        }
    }

    private static int letters(Json one) {
        return JsonWriter.onOneLine(one).length() + 1;
    }
}
