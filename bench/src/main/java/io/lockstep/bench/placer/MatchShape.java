package io.lockstep.bench.placer;

import io.lockstep.placer.space.HeaderField;
import io.lockstep.placer.space.TernaryMatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** What the matches of a family look like. Pure but for the random numbers. */
interface MatchShape {
  /** All IPv4 packets. */
  TernaryMatch IPV4 = TernaryMatch.any().with(HeaderField.ETH_TYPE, 0x800);

  /**
   * One more match, or a few that belong together.
   *
   * @param bases addresses of the set's networks
   * @param exactPorts whether ports are exact or free, since a rule of onos-api has no other
   */
  List<TernaryMatch> next(long[] bases, Random random, boolean exactPorts);

  /** Networks for so many matches. */
  default int networks(int count) {
    return Math.max(4, (int) Math.sqrt(count));
  }

  /** How far priorities of equally specific matches are apart at random, in bits. */
  default int noiseBits() {
    return 8;
  }

  /** An address of one of the networks: the upper half is the network's, the lower its own. */
  private static long host(long[] bases, Random random) {
    long base = bases[(int) (bases.length * random.nextDouble() * random.nextDouble())];
    return (base & 0xFFFF_0000L) | random.nextInt(1 << 16);
  }

  /**
   * Pairs of prefixes with a protocol and a port.
   *
   * @param protocols share of matches with a protocol
   * @param exactPorts share of those with an exact port
   * @param portRanges share of those with a range of ports
   */
  record FiveTuples(
      int shortestSource,
      int longestSource,
      int shortestDestination,
      int longestDestination,
      double protocols,
      double exactPorts,
      double portRanges)
      implements MatchShape {
    @Override
    public List<TernaryMatch> next(long[] bases, Random random, boolean onlyExact) {
      TernaryMatch match = IPV4;
      match = prefix(match, HeaderField.IPV4_SRC, shortestSource, longestSource, bases, random);
      match =
          prefix(
              match, HeaderField.IPV4_DST, shortestDestination, longestDestination, bases, random);
      return List.of(ports(match, random, onlyExact));
    }

    private static TernaryMatch prefix(
        TernaryMatch match,
        HeaderField field,
        int shortest,
        int longest,
        long[] bases,
        Random random) {
      int bits = shortest + random.nextInt(longest - shortest + 1);
      return match.withPrefix(field, host(bases, random), bits);
    }

    private TernaryMatch ports(TernaryMatch match, Random random, boolean onlyExact) {
      if (random.nextDouble() >= protocols) {
        return match;
      }
      TernaryMatch made = match.with(HeaderField.IP_PROTO, random.nextInt(4) == 0 ? 17 : 6);
      double kind = random.nextDouble();
      if (kind < exactPorts) {
        return made.with(HeaderField.L4_DST, 1 + random.nextInt(1024));
      } else if (kind < exactPorts + portRanges) {
        int port = random.nextInt(1 << 16);
        int bits = 1 + random.nextInt(15);
        return made.withPrefix(HeaderField.L4_DST, port, onlyExact ? 16 : bits);
      }
      return made;
    }
  }

  /** Prefixes of few addresses, each within the next shorter one of its address. */
  record Chains() implements MatchShape {
    @Override
    public List<TernaryMatch> next(long[] bases, Random random, boolean exactPorts) {
      long base = bases[random.nextInt(bases.length)];
      return List.of(IPV4.withPrefix(HeaderField.IPV4_DST, base, 8 + random.nextInt(25)));
    }

    @Override
    public int networks(int count) {
      return Math.max(3, count / 6);
    }

    @Override
    public int noiseBits() {
      return 0;
    }
  }

  /** Prefixes as a routing table has them: most of 16 to 24 bits, the longer one first. */
  record Prefixes() implements MatchShape {
    @Override
    public List<TernaryMatch> next(long[] bases, Random random, boolean exactPorts) {
      int bits = 8 + random.nextInt(13) + random.nextInt(13);
      return List.of(IPV4.withPrefix(HeaderField.IPV4_DST, host(bases, random), bits));
    }

    @Override
    public int noiseBits() {
      return 0;
    }
  }

  /** Ranges of addresses, each as the prefixes that it consists of, for sources of a prefix. */
  record Ranges() implements MatchShape {
    @Override
    public List<TernaryMatch> next(long[] bases, Random random, boolean exactPorts) {
      long from = host(bases, random);
      long to = Math.min(0xFFFF_FFFFL, from + 1 + random.nextInt(1 << (4 + random.nextInt(12))));
      long source = bases[random.nextInt(bases.length)];
      TernaryMatch match = IPV4.withPrefix(HeaderField.IPV4_SRC, source, random.nextInt(4));
      List<TernaryMatch> pieces = new ArrayList<>();
      while (from <= to) {
        int open = from == 0 ? 32 : Math.min(32, Long.numberOfTrailingZeros(from));
        while (from + (1L << open) - 1 > to) {
          open--;
        }
        pieces.add(match.withPrefix(HeaderField.IPV4_DST, from, 32 - open));
        from += 1L << open;
      }
      return pieces;
    }
  }

  /** Each of five fields exact or free, in every combination, with few values. */
  record Masks() implements MatchShape {
    @Override
    public List<TernaryMatch> next(long[] bases, Random random, boolean exactPorts) {
      TernaryMatch match = IPV4.with(HeaderField.IP_PROTO, 6);
      if (random.nextBoolean()) {
        match = match.withPrefix(HeaderField.IPV4_SRC, (long) random.nextInt(4) << 30, 2);
      }
      if (random.nextBoolean()) {
        match = match.withPrefix(HeaderField.IPV4_DST, bases[random.nextInt(bases.length)], 24);
      }
      if (random.nextBoolean()) {
        match = match.with(HeaderField.IP_DSCP, random.nextInt(4));
      }
      if (random.nextBoolean()) {
        match = match.with(HeaderField.L4_SRC, 1000 + random.nextInt(4));
      }
      if (random.nextBoolean()) {
        match = match.with(HeaderField.L4_DST, 80 + random.nextInt(8));
      }
      return List.of(match);
    }
  }

  /**
   * Ten groups of about equal size. All matches of a group have one packet in common, so that any
   * two of them overlap; those of different groups share none. With the more specific ones first
   * none hides another.
   */
  record Cliques() implements MatchShape {
    private static final int GROUPS = 10;
    private static final int GROUP_BITS = 4;

    @Override
    public List<TernaryMatch> next(long[] bases, Random random, boolean exactPorts) {
      List<TernaryMatch> one = new ArrayList<>();
      for (int group = 0; group < GROUPS; group++) {
        long base = bases[group];
        long destination = (long) group << (32 - GROUP_BITS) | base >>> GROUP_BITS;
        int bits = GROUP_BITS + random.nextInt(33 - GROUP_BITS);
        TernaryMatch match =
            IPV4.withPrefix(HeaderField.IPV4_SRC, base, random.nextInt(33))
                .withPrefix(HeaderField.IPV4_DST, destination, bits);
        if (random.nextBoolean()) {
          int portBits = exactPorts ? 16 : 1 + random.nextInt(16);
          match =
              match
                  .with(HeaderField.IP_PROTO, 6)
                  .withPrefix(HeaderField.L4_DST, base & 0xFFFF, portBits);
        }
        one.add(match);
      }
      return one;
    }

    @Override
    public int networks(int count) {
      return GROUPS;
    }

    @Override
    public int noiseBits() {
      return 0;
    }
  }
}
