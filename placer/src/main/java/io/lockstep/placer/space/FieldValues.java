package io.lockstep.placer.space;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Indexes elements by their value in one field: a compressed binary trie of prefixes. The leading
 * ones of an element's mask determine its node. So the elements that are less specific than a query
 * are on the path to its node, and the more specific ones are below. The comparison of whole
 * matches handles the other bits of a mask. Not thread-safe.
 */
final class FieldValues<E extends HasMatch> {
  private final HeaderField field;
  private @Nullable Node<E> root;

  FieldValues(HeaderField field) {
    this.field = field;
  }

  private static final class Node<E> {
    final long value;
    final long mask;

    /** The bit after the mask, in which the children differ; 0 if there is none. */
    final long branch;

    List<E> here = List.of();

    /** The number of elements at this node and below. */
    int size;

    @Nullable Node<E> zero;
    @Nullable Node<E> one;

    Node(HeaderField field, long value, long mask) {
      this.value = value & mask;
      this.mask = mask;
      this.branch = Long.highestOneBit(field.full() & ~mask);
    }

    boolean leadsToOne(long other) {
      return (other & branch) != 0;
    }

    @Nullable Node<E> childFor(long other) {
      return leadsToOne(other) ? one : zero;
    }

    void hang(E element) {
      if (here.isEmpty()) {
        here = new ArrayList<>(1);
      }
      here.add(element);
    }

    void attach(Node<E> child) {
      if (leadsToOne(child.value)) {
        one = child;
      } else {
        zero = child;
      }
    }
  }

  /** The ones of a mask before its first zero. */
  private long leadingOnes(long mask) {
    return above(Long.highestOneBit(field.full() & ~mask));
  }

  /** All bits of the field above one of them; all bits at all for none. */
  private long above(long bit) {
    return bit == 0 ? field.full() : field.full() & -bit & ~bit;
  }

  void add(E element) {
    long mask = leadingOnes(element.match().mask(field));
    root = grown(root, element.match().value(field) & mask, mask, element);
  }

  /** Adds an element at a prefix; returns the new root. */
  private Node<E> grown(@Nullable Node<E> at, long value, long mask, E element) {
    Node<E> node = at == null ? new Node<>(field, value, mask) : at;
    long differ = (node.value ^ value) & node.mask & mask;
    long common = node.mask & mask & above(Long.highestOneBit(differ));
    if (common != node.mask) {
      Node<E> before = new Node<>(field, value, common);
      before.attach(node);
      before.size = node.size;
      return grown(before, value, mask, element);
    }
    node.size++;
    if (node.mask == mask) {
      node.hang(element);
    } else if (node.leadsToOne(value)) {
      node.one = grown(node.one, value, mask, element);
    } else {
      node.zero = grown(node.zero, value, mask, element);
    }
    return node;
  }

  /** Removes an element; returns whether it was in the trie. */
  boolean remove(E element) {
    long mask = leadingOnes(element.match().mask(field));
    long value = element.match().value(field) & mask;
    Node<E> node = root;
    while (node != null && node.mask != mask) {
      node = node.childFor(value);
    }
    if (root == null || node == null || !drop(node.here, element)) {
      return false;
    }
    root = shrunk(root, value, mask);
    return true;
  }

  /**
   * Removes an element at a prefix, and nodes that have become superfluous; returns the new root.
   */
  private static <E> @Nullable Node<E> shrunk(@Nullable Node<E> node, long value, long mask) {
    if (node == null) {
      return null;
    }
    node.size--;
    if (node.mask != mask && node.leadsToOne(value)) {
      node.one = shrunk(node.one, value, mask);
    } else if (node.mask != mask) {
      node.zero = shrunk(node.zero, value, mask);
    }
    boolean decides = !node.here.isEmpty() || (node.zero != null && node.one != null);
    return decides ? node : node.zero == null ? node.one : node.zero;
  }

  @SuppressWarnings("ReferenceEquality") // an element is the object that was added
  static <E> boolean drop(List<E> list, E element) {
    for (int i = list.size() - 1; i >= 0; i--) {
      if (list.get(i) == element) {
        E last = list.remove(list.size() - 1);
        if (i < list.size()) {
          list.set(i, last);
        }
        return true;
      }
    }
    return false;
  }

  /** The number of elements that a query visits; an upper bound if its mask is no prefix. */
  int candidates(TernaryMatch match) {
    long value = match.value(field);
    long mask = match.mask(field);
    int count = 0;
    Node<E> node = root;
    while (node != null && ((node.value ^ value) & node.mask & mask) == 0) {
      if ((mask & node.branch) == 0) {
        return count + node.size;
      }
      count += node.here.size();
      node = node.childFor(value);
    }
    return count;
  }

  /** Visits the elements that overlap until the visitor stops; returns whether all were visited. */
  boolean visit(TernaryMatch match, Predicate<? super E> visitor) {
    return visit(root, match.value(field), match.mask(field), match, visitor);
  }

  private static <E extends HasMatch> boolean visit(
      @Nullable Node<E> from,
      long value,
      long mask,
      TernaryMatch match,
      Predicate<? super E> visitor) {
    Node<E> node = from;
    while (node != null && ((node.value ^ value) & node.mask & mask) == 0) {
      if (!OverlapIndex.show(node.here, match, visitor)) {
        return false;
      }
      if ((mask & node.branch) == 0) {
        if (!visit(node.zero, value, mask, match, visitor)) {
          return false;
        }
        node = node.one;
      } else {
        node = node.childFor(value);
      }
    }
    return true;
  }
}
