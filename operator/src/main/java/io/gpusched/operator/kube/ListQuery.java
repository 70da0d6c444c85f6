package io.gpusched.operator.kube;

/// Which objects of a type to list or to watch.
///
/// @param namespace empty for all namespaces
/// @param labels a label selector, empty for any
/// @param fields a field selector, empty for any
public record ListQuery(String namespace, String labels, String fields) {
    public static ListQuery all() {
        return new ListQuery("", "", "");
    }

    public static ListQuery in(String namespace) {
        return new ListQuery(namespace, "", "");
    }

    public ListQuery labelled(String selector) {
        return new ListQuery(namespace, selector, fields);
    }

    public ListQuery where(String selector) {
        return new ListQuery(namespace, labels, selector);
    }
}
