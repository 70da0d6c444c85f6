package io.gpusched.wire.codec;

import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/// Keeps one value for all equal keys seen lately, so that a million similar jobs share their
/// parts.
///
/// It holds two generations. A key found in the older one moves to the younger. When the younger is
/// full, it becomes the older, and keys not used since are dropped. So memory is bounded, a key in
/// use is never dropped, and a flood of unique keys does no other harm. Any thread may use it; a
/// race can at worst keep a value twice.
public final class Interner<K, V> {
    private final int most;
    private final Function<K, V> make;
    private volatile ConcurrentHashMap<K, V> young = new ConcurrentHashMap<>();
    private volatile ConcurrentHashMap<K, V> old = new ConcurrentHashMap<>();

    /// @param most number of keys in one generation
    /// @param make creates the value of a new key
    public Interner(int most, Function<K, V> make) {
        this.most = most;
        this.make = make;
    }

    /// An interner of values by themselves.
    public static <T> Interner<T, T> ofEqual(int most) {
        return new Interner<>(most, Function.identity());
    }

    public V of(K key) {
        V known = young.get(key);
        return known != null ? known : older(key);
    }

    private V older(K key) {
        V known = old.get(key);
        V value = known != null ? known : make.apply(key);
        if (young.size() >= most) {
            old = young;
            young = new ConcurrentHashMap<>();
        }
        V raced = young.putIfAbsent(key, value);
        return raced != null ? raced : value;
    }
}
