package io.lockstep.placer.space;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Finds the elements that overlap a match. The index groups elements by the set of fields that they
 * use; rule sets have tens of such sets, not thousands. So within a group every element has a value
 * in every field. A query searches in each group the field that leaves the fewest candidates by
 * value. It costs one look-up in each field of each group, and the candidates of one field; space
 * is linear. The order of results depends only on the history of calls. Not thread-safe.
 */
public final class OverlapIndex<E extends HasMatch> {
  private final Map<Integer, Shape<E>> shapes = new LinkedHashMap<>();
  private int size;

  /** Adds an element; the same one is never added twice. */
  public void add(E element) {
    shapes.computeIfAbsent(element.match().fields(), Shape::new).add(element);
    size++;
  }

  /** Removes an element of the index. */
  public void remove(E element) {
    Shape<E> shape = shapes.get(element.match().fields());
    if (shape == null || !shape.remove(element)) {
      throw new IllegalStateException("not in the index: " + element.match());
    }
    size--;
  }

  /** The number of elements. */
  public int size() {
    return size;
  }

  /**
   * Visits every element that overlaps, until the visitor stops.
   *
   * @param visitor returns whether to go on
   * @return whether all were visited
   */
  public boolean forEachOverlapping(TernaryMatch match, Predicate<? super E> visitor) {
    for (Shape<E> shape : shapes.values()) {
      if (!shape.visit(match, visitor)) {
        return false;
      }
    }
    return true;
  }

  /** The elements whose matches use the same fields. */
  private static final class Shape<E extends HasMatch> {
    /** Narrower fields separate few elements, as the type of frames does, and cost space. */
    private static final int WIDE_BITS = 12;

    /** With so few candidates, no other field is searched for fewer. */
    private static final int ENOUGH = 8;

    private final List<FieldValues<E>> byField = new ArrayList<>();

    /** All elements if no field separates them, else empty. */
    private final List<E> undivided = new ArrayList<>();

    Shape(int fields) {
      for (HeaderField field : HeaderField.values()) {
        boolean divides = field.widthBits() >= WIDE_BITS && field != HeaderField.ETH_TYPE;
        if ((fields & field.bit()) != 0 && divides) {
          byField.add(new FieldValues<>(field));
        }
      }
    }

    void add(E element) {
      for (FieldValues<E> values : byField) {
        values.add(element);
      }
      if (byField.isEmpty()) {
        undivided.add(element);
      }
    }

    boolean remove(E element) {
      boolean was = byField.isEmpty() && FieldValues.drop(undivided, element);
      for (FieldValues<E> values : byField) {
        was = values.remove(element);
      }
      return was;
    }

    boolean visit(TernaryMatch match, Predicate<? super E> visitor) {
      FieldValues<E> best = null;
      int fewest = Integer.MAX_VALUE;
      for (int i = 0; i < byField.size() && fewest > ENOUGH; i++) {
        int candidates = byField.get(i).candidates(match);
        if (candidates < fewest) {
          fewest = candidates;
          best = byField.get(i);
        }
      }
      if (best == null) {
        return show(undivided, match, visitor);
      }
      return fewest == 0 || best.visit(match, visitor);
    }
  }

  static <E extends HasMatch> boolean show(
      List<E> candidates, TernaryMatch match, Predicate<? super E> visitor) {
    for (int i = 0; i < candidates.size(); i++) {
      E element = candidates.get(i);
      if (element.match().overlaps(match) && !visitor.test(element)) {
        return false;
      }
    }
    return true;
  }
}
