package io.lockstep.history.replica.clock;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

/** Both kinds of readings of time are led to the skewed clocks. */
class TimeCallsTest {
  private static final long HOUR_MILLIS = 3_600_000;

  /** Reads the clocks in all ways that the store's classes do. */
  public static final class Reader implements java.util.function.Supplier<List<Long>> {
    private final LongSupplier nanos = System::nanoTime;
    private final LongSupplier millis = System::currentTimeMillis;

    @Override
    public List<Long> get() {
      return List.of(
          System.nanoTime() / 1_000_000,
          nanos.getAsLong() / 1_000_000,
          System.currentTimeMillis(),
          millis.getAsLong());
    }
  }

  private static final class Loader extends ClassLoader {
    Loader() {
      super(TimeCallsTest.class.getClassLoader());
    }

    Class<?> define(String name, byte[] bytes) {
      return defineClass(name, bytes, 0, bytes.length);
    }
  }

  @Test
  void everyReadingIsSkewed() throws Exception {
    String name = Reader.class.getName();
    byte[] original;
    try (InputStream in =
        getClass().getClassLoader().getResourceAsStream(name.replace('.', '/') + ".class")) {
      original = in.readAllBytes();
    }
    TimeCalls.Rewritten changed = TimeCalls.rewrite(original);
    assertThat(changed.sites()).isEqualTo(4);
    Object reader =
        new Loader()
            .define(name, Objects.requireNonNull(changed.bytes()))
            .getDeclaredConstructor()
            .newInstance();
    // The monotonic clock of this process stays ahead, which only rewritten classes can see.
    SkewedTime.monotonic(HOUR_MILLIS, 0);
    SkewedTime.wall(HOUR_MILLIS, 0);
    List<Long> real = new Reader().get();
    List<?> skewed = (List<?>) ((java.util.function.Supplier<?>) reader).get();
    SkewedTime.wall(-HOUR_MILLIS, 0);
    for (int i = 0; i < 4; i++) {
      long ahead = (Long) skewed.get(i) - real.get(i);
      assertThat(ahead).isBetween(HOUR_MILLIS - 1, HOUR_MILLIS + 60_000);
    }
  }

  @Test
  void aClassThatReadsNoClockIsLeftAlone() throws Exception {
    String name = Skew.class.getName().replace('.', '/') + ".class";
    try (InputStream in = getClass().getClassLoader().getResourceAsStream(name)) {
      assertThat(TimeCalls.rewrite(in.readAllBytes()).bytes()).isNull();
    }
  }
}
