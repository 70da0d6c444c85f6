package io.gpusched.core.model;

/// How close together the GPUs of one task must be.
public enum Locality {
    ANY,
    SAME_NODE,
    SAME_SOCKET,
    NVLINK
}
