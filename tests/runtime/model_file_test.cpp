// The file: what is cooked comes back, within what its numbers can hold.
#include <gtest/gtest.h>

#include <random>

#include "sinew/deform/surface/parameter_codes.h"
#include "tests/runtime/surface_bodies.h"

namespace sinew {
namespace {

SurfaceModel painted_tube(ShapeReference reference) {
  SurfaceModel model = test::tube(12, 10, 3);
  model.reference = reference;
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (VertexParameters& p : model.parameters)
    p = {0.3 * uniform(generator), 0.3 * uniform(generator), 0.3 * uniform(generator), 0.1 * uniform(generator),
         0.2 * uniform(generator)};
  return model;
}

TEST(ModelFile, ComesBackAsItWasCooked) {
  const SurfaceModel model = painted_tube(ShapeReference::rest);
  const std::vector<std::byte> bytes = cook_runtime_file(model);
  const SurfaceModel back = read_runtime_file(bytes, "tube.sinew");
  EXPECT_EQ(back.reference, model.reference);
  EXPECT_FLOAT_EQ(static_cast<float>(back.step), static_cast<float>(model.step));
  EXPECT_EQ(back.reach, model.reach);
  EXPECT_EQ(back.height, model.height);
  ASSERT_EQ(back.rest.size(), model.rest.size());
  EXPECT_EQ(back.neighbours, model.neighbours);
  EXPECT_EQ(back.first_neighbour, model.first_neighbour);
  EXPECT_EQ(back.first_spoke, model.first_spoke);
  for (std::size_t i = 0; i < model.spokes.size(); ++i) {
    EXPECT_EQ(back.spokes[i].segment, model.spokes[i].segment);
    EXPECT_NEAR(back.spokes[i].weight, model.spokes[i].weight, 1.0 / 65535);
  }
  for (std::size_t v = 0; v < model.rest.size(); ++v) {
    EXPECT_LT(distance(back.rest[v], model.rest[v]), 1e-7);
    EXPECT_LT(distance(back.normals[v], model.normals[v]), 5e-5);
    ASSERT_EQ(back.influences[v].count, model.influences[v].count);
    double sum = 0;
    for (std::size_t k = 0; k < static_cast<std::size_t>(model.influences[v].count); ++k) {
      EXPECT_EQ(back.influences[v].joint[k], model.influences[v].joint[k]);
      EXPECT_NEAR(back.influences[v].weight[k], model.influences[v].weight[k], 1.0 / 65535);
      sum += back.influences[v].weight[k];
    }
    EXPECT_NEAR(sum, 1, 1e-12);
  }
  ASSERT_EQ(back.bones.size(), model.bones.size());
  for (std::size_t b = 0; b < model.bones.size(); ++b) {
    EXPECT_EQ(back.bones[b].name, model.bones[b].name);
    EXPECT_LT(distance(back.bones[b].rest_to_joint.translation, model.bones[b].rest_to_joint.translation), 1e-7);
  }
  ASSERT_EQ(back.parts.size(), 1u);
  EXPECT_EQ(back.parts[0].name, "tube");
  EXPECT_EQ(back.parts[0].vertex_of, model.parts[0].vertex_of);
  EXPECT_EQ(read_runtime_file(cook_runtime_file(back), "again").parameters, back.parameters);
}

TEST(ModelFile, ParametersAreWithinHalfACodeAndStable) {
  std::mt19937 generator(1);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int i = 0; i < 2000; ++i) {
    const VertexParameters p{uniform(generator), uniform(generator), uniform(generator), 0.5 * uniform(generator),
                             uniform(generator)};
    const ParameterCodes codes = encode_parameters(p);
    const VertexParameters q = decode_parameters(codes);
    const auto stiffness = [](const VertexParameters& of) {
      return of.alpha + 2 * of.beta + of.gamma + 4 * of.lambda + 2 * of.delta;
    };
    EXPECT_LE(stiffness(q), 3.9);
    if (stiffness(p) < 3.8) {
      EXPECT_NEAR(std::sqrt(q.alpha), std::sqrt(p.alpha), 0.5001 / 255);
      EXPECT_NEAR(std::sqrt(q.lambda), std::sqrt(p.lambda), 0.5001 / 255);
    } else if (stiffness(p) > 4) {  // one factor for all five
      EXPECT_NEAR(q.alpha * p.beta, q.beta * p.alpha, 0.02);
    }
    EXPECT_EQ(encode_parameters(q), codes);
  }
}

TEST(ModelFile, TheRunTimeSeesTheSameModel) {
  const SurfaceModel model = painted_tube(ShapeReference::rig);
  const SurfaceModel stored = read_runtime_file(cook_runtime_file(model), "tube");
  const test::RuntimeModel opened(model);
  sinew_model_facts facts;
  sinew_model_get_facts(opened.model, &facts);
  EXPECT_EQ(facts.vertices, model.rest.size());
  EXPECT_EQ(facts.bones, 3u);
  EXPECT_EQ(facts.parts, 1u);
  EXPECT_EQ(facts.reference, SINEW_REFERENCE_RIG);
  EXPECT_STREQ(sinew_model_bone_name(opened.model, 1), "bone 1");
  EXPECT_EQ(sinew_model_bone_name(opened.model, 3), nullptr);
  ASSERT_EQ(sinew_model_part_vertices(opened.model, 0), model.parts[0].vertex_of.size());
  for (std::size_t v = 0; v < model.parts[0].vertex_of.size(); ++v)
    EXPECT_EQ(sinew_model_vertex_of(opened.model, 0, static_cast<std::uint32_t>(v)),
              static_cast<std::uint32_t>(model.parts[0].vertex_of[v]));
  for (std::size_t v = 0; v < model.rest.size(); ++v) {
    float parameters[SINEW_PARAMETERS], rest[3];
    test::must(sinew_model_parameters(opened.model, static_cast<std::uint32_t>(v), parameters));
    EXPECT_NEAR(parameters[SINEW_ALPHA], stored.parameters[v].alpha, 1e-6);
    EXPECT_NEAR(parameters[SINEW_DELTA], stored.parameters[v].delta, 1e-6);
    test::must(sinew_model_rest(opened.model, static_cast<std::uint32_t>(v), rest));
    EXPECT_LT(distance({rest[0], rest[1], rest[2]}, model.rest[v]), 1e-7);
  }
}

}  // namespace
}  // namespace sinew
