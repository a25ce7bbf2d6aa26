package io.lockstep.core.packet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WaitingPlacesTest {
  private static PortShare port() {
    return new PortShare(PacketLimits.NONE, 0);
  }

  /** Takes as many as there are; how many. */
  private static int fill(WaitingPlaces places, PortShare port, boolean group) {
    int taken = 0;
    while (places.hasRoom(port, group)) {
      places.take(port, group);
      taken++;
    }
    return taken;
  }

  @Test
  void onePortHasThreeQuartersAtMost() {
    WaitingPlaces places = new WaitingPlaces(1_024);
    assertThat(fill(places, port(), false)).isEqualTo(768);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 10, 100})
  void portsThatTakeAllTheyCanLeavePlacesForAnother(int greedy) {
    WaitingPlaces places = new WaitingPlaces(1_024);
    List<PortShare> ports = new ArrayList<>();
    for (int i = 0; i < greedy; i++) {
      ports.add(port());
    }
    for (int turn = 0; turn < 1_024; turn++) {
      for (PortShare each : ports) {
        if (places.hasRoom(each, false)) {
          places.take(each, false);
        }
      }
    }
    int left = 1_024 - places.taken();
    assertThat(left).isPositive();
    assertThat(fill(places, port(), false)).as("of %d", left).isPositive();
  }

  @Test
  void groupsHaveHalfAndLeaveTheRestToOthers() {
    WaitingPlaces places = new WaitingPlaces(1_024);
    assertThat(fill(places, port(), true)).isEqualTo(512);
    assertThat(fill(places, port(), true)).as("by another port").isZero();
    assertThat(fill(places, port(), false)).isGreaterThan(300);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void fewPlacesAreAllForOnePort(int most) {
    assertThat(fill(new WaitingPlaces(most), port(), false)).isEqualTo(most);
    assertThat(fill(new WaitingPlaces(most), port(), true)).isPositive();
  }

  @Test
  void placesAreFreeAgain() {
    WaitingPlaces places = new WaitingPlaces(8);
    PortShare port = port();
    int taken = fill(places, port, true);
    for (int i = 0; i < taken; i++) {
      places.leave(port, true);
    }
    assertThat(places.taken()).isZero();
    assertThat(fill(places, port, true)).isEqualTo(taken);
  }
}
