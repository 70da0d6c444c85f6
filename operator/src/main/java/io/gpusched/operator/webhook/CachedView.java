package io.gpusched.operator.webhook;

import com.fasterxml.jackson.databind.JsonNode;

import io.gpusched.operator.kube.CacheListener;
import io.gpusched.operator.kube.KubeApi;
import io.gpusched.operator.kube.ListQuery;
import io.gpusched.operator.kube.ResourceCache;
import io.gpusched.operator.kube.ResourceType;

import java.util.List;

/// Follows what the webhook must know of the cluster. Of each node, pod and class of priority one
/// text is kept, and most pods have none.
public final class CachedView implements ScoringView, AutoCloseable {
    private final ResourceCache<String> nodes;
    private final ResourceCache<String> pods;
    private final ResourceCache<String> classes;

    public CachedView(KubeApi api) {
        this.nodes =
                following(
                        api,
                        ResourceType.NODES,
                        node -> node.path("metadata").path("labels").path(PodScoring.GPU_CLASS));
        this.pods = following(api, ResourceType.PODS, CachedView::kindOfRunning);
        this.classes =
                following(
                        api,
                        ResourceType.PRIORITY_CLASSES,
                        object -> object.path("metadata").path("name"));
    }

    private interface Part {
        JsonNode of(JsonNode object);
    }

    private static ResourceCache<String> following(KubeApi api, ResourceType type, Part part) {
        return new ResourceCache<>(
                api,
                new ResourceCache.Followed<>(
                        type,
                        ListQuery.all(),
                        object -> {
                            String text = part.of(object).asText("");
                            return text.isEmpty() ? null : text;
                        }),
                new Unheard());
    }

    private static JsonNode kindOfRunning(JsonNode pod) {
        boolean isRunning = pod.path("status").path("phase").asText().equals("Running");
        JsonNode annotations = pod.path("metadata").path("annotations");
        return annotations.path(isRunning ? PodScoring.JOB_TYPE : "");
    }

    /// Until the first list is complete, the view is that of a cluster that says nothing.
    public void start() {
        nodes.start();
        pods.start();
        classes.start();
    }

    @Override
    public List<String> gpuTypes() {
        return nodes.all().stream().distinct().sorted().toList();
    }

    @Override
    public List<String> jobTypes() {
        return pods.all().stream().distinct().sorted().toList();
    }

    @Override
    public boolean hasPriorityClass(String name) {
        return classes.find("", name) != null;
    }

    @Override
    public void close() {
        nodes.close();
        pods.close();
        classes.close();
    }

    /// The view is asked, and tells nobody.
    private static final class Unheard implements CacheListener<String> {
        @Override
        public void added(String now) {
            // Kept by the cache.
        }

        @Override
        public void modified(String before, String now) {
            // Kept by the cache.
        }

        @Override
        public void deleted(String last) {
            // Kept by the cache.
        }
    }
}
