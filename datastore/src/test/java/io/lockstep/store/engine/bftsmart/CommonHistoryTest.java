package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.engine.bftsmart.PeerNote.Common;
import io.lockstep.store.engine.bftsmart.PeerNote.Point;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

class CommonHistoryTest {

  /** Hashes of a history; those after {@code same} are this one's own. */
  private static byte[] hash(long instance, long same, int own) {
    return ByteBuffer.allocate(12).putLong(instance).putInt(instance > same ? own : 0).array();
  }

  private static long search(long floor, long last, long same, int mostQuestions) throws Exception {
    CommonHistory search = new CommonHistory(floor, last);
    int questions = 0;
    while (!search.found()) {
      assertThat(questions++).as("questions").isLessThan(mostQuestions);
      List<Point> points = search.questions(instance -> hash(instance, same, 1));
      assertThat(points).isNotEmpty();
      assertThat(points.size()).isLessThan(100);
      long equal = Common.NONE;
      for (Point point : points) {
        if (ByteBuffer.wrap(point.chain())
            .equals(ByteBuffer.wrap(hash(point.instance(), same, 2)))) {
          equal = point.instance();
        }
      }
      search.answered(points, equal);
    }
    return search.instance();
  }

  @Test
  void everyPlaceIsFound() throws Exception {
    for (long last = -1; last < 70; last++) {
      for (long same = -1; same <= last; same++) {
        assertThat(search(-1, last, same, 12)).as("%d of %d", same, last).isEqualTo(same);
      }
    }
  }

  @Test
  void longHistoriesTakeFewQuestions() throws Exception {
    assertThat(search(1_000, 3_000_000_000L, 2_999_999_990L, 8)).isEqualTo(2_999_999_990L);
    assertThat(search(1_000, 3_000_000_000L, 123_456_789L, 40)).isEqualTo(123_456_789L);
  }

  @Test
  void nothingInCommonBehindTheFloor() throws Exception {
    assertThat(search(50, 100, 49, 12)).isEqualTo(Common.NONE);
    assertThat(search(50, 100, 50, 12)).isEqualTo(50);
  }
}
