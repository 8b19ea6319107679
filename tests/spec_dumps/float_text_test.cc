// Tests of the decimal text of floats.
#include "spec_dumps/float_text.h"

#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <vector>

#include "gtest/gtest.h"
#include "tests/spec_dumps/random_cases.h"

namespace assay {
namespace {

std::string Text(float value) {
  std::string out = "x";
  AppendFloat(out, value);
  return out.substr(1);
}

TEST(AppendFloat, SpellsLikeTheGrammar) {
  EXPECT_EQ(Text(0.0f), "0.0");
  EXPECT_EQ(Text(-0.0f), "-0.0");
  EXPECT_EQ(Text(1.0f), "1.0");
  EXPECT_EQ(Text(-2.5f), "-2.5");
  EXPECT_EQ(Text(10.0f), "1e+01");
  EXPECT_EQ(Text(11.0f), "11.0");
  EXPECT_EQ(Text(120.0f), "1.2e+02");
  EXPECT_EQ(Text(123456.0f), "123456.0");
  EXPECT_EQ(Text(16777216.0f), "16777216.0");
  EXPECT_EQ(Text(33554432.0f), "33554432.0");
  EXPECT_EQ(Text(1e10f), "1e+10");
  EXPECT_EQ(Text(0.1f), "0.1");
  EXPECT_EQ(Text(0.0001f), "0.0001");
  EXPECT_EQ(Text(0.00012345f), "0.00012345");
  EXPECT_EQ(Text(0.00001f), "1e-05");
  EXPECT_EQ(Text(1.5e-7f), "1.5e-07");
  EXPECT_EQ(Text(std::numeric_limits<float>::denorm_min()), "1e-45");
  EXPECT_EQ(Text(std::numeric_limits<float>::max()), "3.4028235e+38");
  EXPECT_EQ(Text(INFINITY), "float(\"inf\")");
  EXPECT_EQ(Text(-INFINITY), "float(\"-inf\")");
  EXPECT_EQ(Text(std::bit_cast<float>(uint32_t{0x7fc00000})), "float(\"nan\")");
}

TEST(HasFloatText, OnlyNaNsWithoutPayload) {
  EXPECT_TRUE(HasFloatText(1.0f));
  EXPECT_TRUE(HasFloatText(-INFINITY));
  EXPECT_TRUE(HasFloatText(std::bit_cast<float>(uint32_t{0x7fc00000})));
  EXPECT_FALSE(HasFloatText(std::bit_cast<float>(uint32_t{0xffc00000})));
  EXPECT_FALSE(HasFloatText(std::bit_cast<float>(uint32_t{0x7fc00001})));
}

// The shortest text: no fewer digits give the value back. Checked against the C library.
TEST(AppendFloat, GivesBackTheValueWithFewestDigits) {
  std::vector<float> values;
  for (int e = -149; e < 128; ++e) {
    const float power = std::ldexp(1.0f, e);
    values.insert(values.end(), {power, std::nextafter(power, 0.0f), std::nextafter(power, 1e38f), 3 * power});
  }
  Dice dice(1);
  for (int i = 0; i < 200000; ++i) values.push_back(std::bit_cast<float>(static_cast<uint32_t>(dice.Bits())));
  for (float value : values) {
    if (!std::isfinite(value)) continue;
    const std::string text = Text(value);
    ASSERT_EQ(FloatLength(text), text.size()) << text;
    float back = 0;
    ASSERT_TRUE(ParseFloat(text, back)) << text;
    ASSERT_EQ(std::bit_cast<uint32_t>(back), std::bit_cast<uint32_t>(value)) << text;
    ASSERT_EQ(std::strtof(text.c_str(), nullptr), value) << text;
    std::string mantissa = text.substr(0, text.find('e'));
    std::erase_if(mantissa, [](char c) { return c == '.' || c == '-'; });
    mantissa.erase(0, std::min(mantissa.find_first_not_of('0'), mantissa.size()));
    while (!mantissa.empty() && mantissa.back() == '0') mantissa.pop_back();
    if (mantissa.size() < 2) continue;
    char shorter[64];
    std::snprintf(shorter, sizeof(shorter), "%.*e", static_cast<int>(mantissa.size()) - 2, static_cast<double>(value));
    ASSERT_NE(std::strtof(shorter, nullptr), value) << text << " is longer than " << shorter;
  }
}

TEST(FloatLength, TakesWhatTheGrammarSays) {
  EXPECT_EQ(FloatLength("1.5, "), 3u);
  EXPECT_EQ(FloatLength("-0.0]"), 4u);
  EXPECT_EQ(FloatLength("1e+01"), 5u);
  EXPECT_EQ(FloatLength("1.25e-05x"), 8u);
  EXPECT_EQ(FloatLength("float(\"inf\")]"), 12u);
  EXPECT_EQ(FloatLength("float(\"-inf\")"), 13u);
  EXPECT_EQ(FloatLength("float(\"nan\")"), 12u);
  for (const char* bad : {"", "-", "1", "-12", "1.", ".5", "1e", "1e5", "1e+", "+1.0", "e+01", "inf", "nan", " 1.0",
                          "float(\"-nan\")", "float(inf)", "--1.0"}) {
    EXPECT_EQ(FloatLength(bad), 0u) << bad;
  }
}

TEST(ParseFloat, RoundsOnceLikeStrtof) {
  for (const char* text : {"0.1",
                           "1e-50",
                           "-1e-50",
                           "1e-46",
                           "0.7e-45",
                           "7.006492321624085e-46",
                           "7.006492321624086e-46",
                           "3.4028235677973365e+38",
                           "1e-99999999999999999999",
                           "0.0e+99999999999999",
                           "00001.5",
                           "1e-40",
                           "16777217.0",
                           "16777219.0",
                           "0.000000000000000000000000000000000000000000001",
                           "1.17549428075736429173e-38",
                           "8388608.5",
                           "8388609.5",
                           "100000000000000000000000000000000000000.0",
                           "0.00000000000000000000000000000000000000000000000000001e+60"}) {
    ASSERT_EQ(FloatLength(text), std::string(text).size()) << text;
    float value = 7;
    ASSERT_TRUE(ParseFloat(text, value)) << text;
    EXPECT_EQ(std::bit_cast<uint32_t>(value), std::bit_cast<uint32_t>(std::strtof(text, nullptr))) << text;
  }
}

TEST(ParseFloat, RefusesWhatRoundsToInfinity) {
  for (const char* text : {"3.4028235677973367e+38", "1e+39", "-1e+39", "1e+99999999999999999999",
                           "1000000000000000000000000000000000000000.0", "0.001e+42", "-123.0e+37"}) {
    ASSERT_EQ(FloatLength(text), std::string(text).size()) << text;
    float value = 7;
    EXPECT_FALSE(ParseFloat(text, value)) << text;
  }
}

TEST(ParseFloat, ReadsTheWords) {
  float value = 0;
  ASSERT_TRUE(ParseFloat("float(\"inf\")", value));
  EXPECT_EQ(value, INFINITY);
  ASSERT_TRUE(ParseFloat("float(\"-inf\")", value));
  EXPECT_EQ(value, -INFINITY);
  ASSERT_TRUE(ParseFloat("float(\"nan\")", value));
  EXPECT_EQ(std::bit_cast<uint32_t>(value), uint32_t{0x7fc00000});
}

}  // namespace
}  // namespace assay
