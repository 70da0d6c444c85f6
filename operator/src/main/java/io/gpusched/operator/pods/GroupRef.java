package io.gpusched.operator.pods;

/// The group that a pod says it belongs to.
///
/// @param name unique together with the namespace and the kind of group
/// @param minimum how many pods must start together; 0 where that is not known
/// @param exact whether there may be no more pods than the minimum
/// @param problem what the user must change before the group can start; empty if nothing
record GroupRef(String namespace, String name, int minimum, boolean exact, String problem) {
    static GroupRef of(String namespace, String name, int minimum) {
        return new GroupRef(namespace, name, minimum, false, "");
    }

    static GroupRef broken(String namespace, String name, String problem) {
        return new GroupRef(namespace, name, 0, false, problem);
    }

    /// What all pods of the group share.
    String key() {
        return namespace + "/" + name;
    }
}
