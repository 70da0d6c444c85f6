package io.gpusched.operator.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.function.Consumer;

/// Requests to one API server. Every method blocks until the answer is there, and may be called
/// from any number of threads; a refusal is a [KubeException]. Nothing is retried here: only the
/// caller knows whether a 409 or 429 is worth another try.
///
/// A namespace is empty for types without namespaces.
public interface KubeApi {
    /// The objects of a list, and the version from which a watch continues it.
    record Listed(List<ObjectNode> items, String resourceVersion) {}

    /// How a patch is to be read.
    enum PatchKind {
        MERGE("application/merge-patch+json"),
        STRATEGIC("application/strategic-merge-patch+json"),
        JSON("application/json-patch+json"),
        /// Server-side apply, with the operator as the field manager.
        APPLY("application/apply-patch+yaml");

        private final String mediaType;

        PatchKind(String mediaType) {
            this.mediaType = mediaType;
        }

        public String mediaType() {
            return mediaType;
        }
    }

    ObjectNode get(ResourceType type, String namespace, String name);

    /// Reads a path that is no object, for example `/version` or `/apis`.
    ObjectNode get(String path);

    /// Lists in pages, so that a large list is no single answer.
    Listed list(ResourceType type, ListQuery query);

    /// Lists in pages and passes each object on at once, for lists that should not be in memory as
    /// a whole. Fails with 410 if the server forgets the first page before the last is read: the
    /// caller has to drop what it got.
    ///
    /// @return the version from which a watch continues the list
    String list(ResourceType type, ListQuery query, Consumer<ObjectNode> each);

    /// Passes changes after `resourceVersion` to the listener, until the server ends the watch
    /// (returns), the listener returns false (returns), or the watch fails. An event of type
    /// `ERROR` becomes a [KubeException].
    void watch(ResourceType type, ListQuery query, String resourceVersion, WatchListener listener);

    ObjectNode create(ResourceType type, String namespace, JsonNode object);

    /// Replaces an object; 409 if its `resourceVersion` is not the newest.
    ObjectNode replace(ResourceType type, String namespace, String name, JsonNode object);

    /// @param sub a sub-resource such as `status`, empty for the object itself; may end with
    ///        parameters
    ObjectNode patch(
            ResourceType type,
            String namespace,
            String name,
            String sub,
            PatchKind kind,
            JsonNode patch);

    /// Posts to a sub-resource: `binding` or `eviction` of a pod.
    ///
    /// @param sub may end with parameters, as in `binding?dryRun=All`
    ObjectNode post(ResourceType type, String namespace, String name, String sub, JsonNode object);

    void delete(ResourceType type, String namespace, String name, DeleteOptions options);

    /// The end of the log of a container, or all of it.
    ///
    /// @param query parameters as the API names them, for example `container=main&tailLines=100`
    byte[] log(String namespace, String pod, String query);
}
