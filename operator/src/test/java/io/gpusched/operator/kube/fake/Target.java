package io.gpusched.operator.kube.fake;

import java.util.List;

/// What a path names.
///
/// @param namespace empty for all namespaces, and for types without them
/// @param name empty for all objects
/// @param sub the sub-resource, empty for the object itself
record Target(ServedType type, String namespace, String name, String sub) {
    /// @throws Refused 404 for a path that names nothing
    static Target of(String path, ServedTypes types) {
        List<String> parts = List.of(path.substring(1).split("/"));
        boolean isCore = parts.getFirst().equals("api");
        if (parts.size() < (isCore ? 3 : 4) || !isCore && !parts.getFirst().equals("apis")) {
            throw Refused.noSuchPath();
        }
        String apiVersion = isCore ? parts.get(1) : parts.get(1) + "/" + parts.get(2);
        List<String> rest = parts.subList(isCore ? 2 : 3, parts.size());
        String namespace = "";
        boolean isNamespaceItself =
                rest.size() == 3
                        && (rest.get(2).equals("status") || rest.get(2).equals("finalize"));
        if (rest.getFirst().equals("namespaces") && rest.size() > 2 && !isNamespaceItself) {
            namespace = rest.get(1);
            rest = rest.subList(2, rest.size());
        }
        ServedType type = types.find(apiVersion, rest.getFirst());
        if (type == null || !type.type().namespaced() && !namespace.isEmpty()) {
            throw Refused.noSuchPath();
        }
        return new Target(
                type,
                namespace,
                rest.size() > 1 ? rest.get(1) : "",
                rest.size() > 2 ? String.join("/", rest.subList(2, rest.size())) : "");
    }

    /// The verb of the access rules.
    String verb(ApiCall call) {
        return switch (call.method()) {
            case "GET" -> name.isEmpty() ? call.isWatch() ? "watch" : "list" : "get";
            case "POST" -> "create";
            case "PUT" -> "update";
            case "PATCH" -> "patch";
            case "DELETE" -> name.isEmpty() ? "deletecollection" : "delete";
            default -> throw new Refused(405, "MethodNotAllowed", "the method is not allowed");
        };
    }

    AccessRules.Access wanted(ApiCall call) {
        return new AccessRules.Access(
                verb(call),
                type.type().group(),
                sub.isEmpty() ? type.type().plural() : type.type().plural() + "/" + sub,
                namespace,
                name);
    }
}
